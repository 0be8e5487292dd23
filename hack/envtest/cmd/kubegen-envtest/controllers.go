/* SPDX-License-Identifier: Apache-2.0 */

package main

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/restmapper"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
	"k8s.io/kubernetes/pkg/controller/namespace"
	"k8s.io/kubernetes/pkg/controller/replicaset"
)

const (
	workers          = 2
	namespaceResync  = 5 * time.Minute
	collectorStart   = 5 * time.Second
	collectorRefresh = 2 * time.Second // how soon objects of a new CRD are collected
)

// startControllers runs those parts of kube-controller-manager without which an API server
// alone looks broken: a Deployment gets its ReplicaSet and Pods (which stay Pending), owned
// objects go with their owner, deleted namespaces end.
func startControllers(ctx context.Context, dir stateDir, url string) error {
	cfg := adminConfig(dir, url)
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return err
	}
	meta, err := metadata.NewForConfig(cfg)
	if err != nil {
		return err
	}
	typed := informers.NewSharedInformerFactory(client, 0)
	untyped := metadatainformer.NewSharedInformerFactory(meta, 0)
	core, apps := typed.Core().V1(), typed.Apps().V1()
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(client.Discovery()))
	informersStarted := make(chan struct{})

	deployments, err := deployment.NewDeploymentController(ctx, apps.Deployments(), apps.ReplicaSets(), core.Pods(), client)
	if err != nil {
		return err
	}
	replicaSets := replicaset.NewReplicaSetController(ctx, apps.ReplicaSets(), core.Pods(), client, replicaset.BurstReplicas)
	namespaces := namespace.NewNamespaceController(ctx, client, meta,
		client.Discovery().ServerPreferredNamespacedResources, core.Namespaces(), namespaceResync, corev1.FinalizerKubernetes)
	collector, err := garbagecollector.NewGarbageCollector(ctx, client, meta, mapper,
		garbagecollector.DefaultIgnoredResources(), informerfactory.NewInformerFactory(typed, untyped), informersStarted)
	if err != nil {
		return err
	}

	typed.Start(ctx.Done())
	untyped.Start(ctx.Done())
	close(informersStarted)
	go deployments.Run(ctx, workers)
	go replicaSets.Run(ctx, workers)
	go namespaces.Run(ctx, workers)
	go runCollector(ctx, collector, collectorStart)
	go collector.Sync(ctx, client.Discovery(), collectorRefresh)
	return nil
}
