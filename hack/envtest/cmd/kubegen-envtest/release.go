/* SPDX-License-Identifier: Apache-2.0 */

//go:build !kubernetes_1_31

package main

import (
	"context"
	"time"

	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
)

// Where Kubernetes' own functions differ between the releases that are built here.

func newOptions() *options.ServerRunOptions { return options.NewServerRunOptions() }

func completeOptions(ctx context.Context, opts *options.ServerRunOptions) (options.CompletedOptions, error) {
	if err := opts.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return options.CompletedOptions{}, err
	}
	return opts.Complete(ctx)
}

func runCollector(ctx context.Context, collector *garbagecollector.GarbageCollector, sync time.Duration) {
	collector.Run(ctx, workers, sync)
}
