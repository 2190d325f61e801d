package server

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/seif-dev/seifc/bundle/trust"
)

// raiseFloor raises the release floor to what is about to be served, durably, before the first request is answered: no
// older release is served afterwards under this state. If another runtime or a promotion has raised it above that since
// the Build was verified, or the state cannot be used any more, the error is [*Refused]. An unsigned Build has no
// sequence and raises nothing.
func (s *Service) raiseFloor(ctx context.Context, log *slog.Logger) error {
	report, floor := s.verified.report, s.verified.floor
	if floor == nil || report.Verdict != trust.Verified {
		return nil
	}
	_, err := floor.Advance(ctx, report.Release.Channel, report.Release.Sequence)
	var fault *trust.FloorError
	switch {
	case errors.As(err, &fault):
		return notVerified(floorFailed(report, fault))
	case err != nil:
		return err
	}
	log.Info("the release floor stands", "channel", report.Release.Channel, "sequence", report.Release.Sequence)
	return nil
}

// floorFailed is a report whose floor does not hold any more.
func floorFailed(r trust.Report, fault *trust.FloorError) trust.Report {
	r.Verdict = trust.NotVerified
	r.Checks = slices.Clone(r.Checks)
	for i := range r.Checks {
		if c := &r.Checks[i]; c.Name == "floor" {
			c.Status, c.Expected, c.Problem = trust.Failed, "the state as it was when the Build was verified", &fault.Problem
		}
	}
	return r
}
