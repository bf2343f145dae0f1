# The build in a few words; everything works with the go command alone as well.

GO      ?= go
PREFIX  ?= /usr/local
DIST    ?= dist
SHELLS  := bash zsh fish
VERBS   := index status discover grep open explore write replace delete move undo approve deny approvals \
           mcp install uninstall integrations tools doctor export version

.PHONY: build test check docs completions man install clean

build:
	$(GO) build -trimpath -o bin/codegraph ./cmd/codegraph

test:
	$(GO) test ./...

check: test
	$(GO) vet ./...
	@test -z "$$(gofmt -l .)" || { gofmt -l .; exit 1; }

docs:
	$(GO) test ./cmd/codegraph -run TestGeneratedDocs -update

completions: build
	mkdir -p $(DIST)/completions
	for s in $(SHELLS); do bin/codegraph completion $$s > $(DIST)/completions/codegraph.$$s || exit 1; done

man: build
	mkdir -p $(DIST)/man
	bin/codegraph man > $(DIST)/man/codegraph.1
	for v in $(VERBS); do bin/codegraph man $$v > $(DIST)/man/codegraph-$$v.1 || exit 1; done

install: completions man
	install -D -m 755 bin/codegraph $(DESTDIR)$(PREFIX)/bin/codegraph
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 $(DIST)/man/*.1
	install -D -m 644 $(DIST)/completions/codegraph.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/codegraph
	install -D -m 644 $(DIST)/completions/codegraph.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_codegraph
	install -D -m 644 $(DIST)/completions/codegraph.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/codegraph.fish

clean:
	rm -rf bin $(DIST)
