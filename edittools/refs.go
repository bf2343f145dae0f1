package edittools

import (
	"context"

	"github.com/codegraph-dev/codegraph/workspace"
)

func (p *Plan) updateReferences(ctx context.Context, s *workspace.Snapshot) error { return nil }
