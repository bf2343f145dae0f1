# The server for the code base that is mounted at /work:
#   docker run --rm -i --network none -v "$PWD:/work:ro" codegraph mcp
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN go build -trimpath -o /codegraph ./cmd/codegraph

FROM debian:bookworm-slim
RUN useradd --create-home codegraph && install -d -o codegraph /state
COPY --from=build /codegraph /usr/local/bin/codegraph
USER codegraph
ENV CODEGRAPH_HOME=/state
WORKDIR /work
ENTRYPOINT ["codegraph"]
CMD ["mcp"]
