// SPDX-License-Identifier: Apache-2.0

// Command peer does with client-go what follower.c does with libkube.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const roundAnnotation = "kubegen.dev/round"

func follow(ctx context.Context, kubeconfig string, gvr schema.GroupVersionResource) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	tell := func(object any) {
		if round := object.(*unstructured.Unstructured).GetAnnotations()[roundAnnotation]; round != "" {
			fmt.Println(gvr.Resource, round, time.Now().UnixNano())
		}
	}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, "default", nil)
	if _, err = factory.ForResource(gvr).Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    tell,
		UpdateFunc: func(_, object any) { tell(object) },
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	return nil
}

func main() {
	for _, gvr := range []schema.GroupVersionResource{
		{Group: "samplecrd.k8s.io", Version: "v1", Resource: "networks"},
		{Version: "v1", Resource: "configmaps"},
		{Version: "v1", Resource: "secrets"},
	} {
		if err := follow(context.Background(), os.Args[1], gvr); err != nil {
			log.Fatal(err)
		}
	}
	io.Copy(io.Discard, os.Stdin) // until its parent goes
}
