/* SPDX-License-Identifier: Apache-2.0 */

//go:build kubernetes_1_31

package main

import (
	"context"
	"time"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	utilversion "k8s.io/apiserver/pkg/util/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
)

func newOptions() *options.ServerRunOptions {
	utilversion.DefaultComponentGlobalsRegistry.ComponentGlobalsOrRegister(utilversion.DefaultKubeComponent,
		utilversion.DefaultBuildEffectiveVersion(), utilfeature.DefaultMutableFeatureGate)
	return options.NewServerRunOptions()
}

func completeOptions(_ context.Context, opts *options.ServerRunOptions) (options.CompletedOptions, error) {
	if err := utilversion.DefaultComponentGlobalsRegistry.Set(); err != nil {
		return options.CompletedOptions{}, err
	}
	return opts.Complete()
}

func runCollector(ctx context.Context, collector *garbagecollector.GarbageCollector, _ time.Duration) {
	collector.Run(ctx, workers)
}
