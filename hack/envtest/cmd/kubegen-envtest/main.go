/* SPDX-License-Identifier: Apache-2.0 */

// kubegen-envtest runs etcd and kube-apiserver in one process, for tests.
//
//	kubegen-envtest [--port N] [--controllers] DIR [-- kube-apiserver flags]
//
// Everything the server keeps lies in DIR: started again on the same directory it
// has the same objects, certificates and tokens. It writes
//
//	DIR/ready        the server's URL, once requests are answered
//	DIR/kubeconfig   contexts admin (token), user (token, no rights), cert (client certificate)
//	DIR/ca.crt, DIR/client.crt, DIR/client.key
//
// and ends on SIGTERM or SIGINT.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// shutdownGrace bounds an orderly end: open watches would hold it up for a minute.
const shutdownGrace = 2 * time.Second

// stateDir names the files in the server's directory.
type stateDir string

func (d stateDir) file(name string) string { return filepath.Join(string(d), name) }

// replace writes a file so that a reader sees either the old content or the new.
func (d stateDir) replace(name, content string) error {
	tmp := d.file(name + ".tmp")
	if err := os.WriteFile(tmp, []byte(content), 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, d.file(name))
}

func openStateDir(path string) (stateDir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if strings.ContainsAny(abs, "\n\"\\,") {
		return "", fmt.Errorf("directory %q: quotes, backslashes, commas and line breaks are not supported", abs)
	}
	if err := os.MkdirAll(abs, 0o700); err != nil {
		return "", err
	}
	d := stateDir(abs)
	if err := os.Remove(d.file("ready")); err != nil && !os.IsNotExist(err) {
		return "", err
	}
	return d, nil
}

func run(path string, port int, withControllers bool, extra []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()

	dir, err := openStateDir(path)
	if err != nil {
		return err
	}
	if err := makeCredentials(dir); err != nil {
		return fmt.Errorf("credentials: %w", err)
	}
	store, err := startEtcd(dir)
	if err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	defer store.removeSockets()
	server, err := newServer(ctx, dir, port, store.url, extra)
	if err != nil {
		return fmt.Errorf("kube-apiserver: %w", err)
	}
	if err := writeKubeconfig(dir, server.url); err != nil {
		return err
	}

	ended := make(chan error, 2)
	go func() { ended <- server.run(ctx) }()
	go func() {
		err := server.waitReady(ctx, dir)
		if err == nil && withControllers {
			err = startControllers(ctx, dir, server.url)
		}
		if err == nil {
			err = dir.replace("ready", server.url+"\n")
		}
		if err != nil && ctx.Err() == nil {
			ended <- err
		}
	}()
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
			store.server.Close()
		case <-time.After(shutdownGrace):
			// Closing etcd would wait for the server's watches too; it survives a kill.
		}
	}
	os.Remove(dir.file("ready"))
	return err
}

func main() {
	port := flag.Int("port", 0, "port on 127.0.0.1; 0 finds a free one")
	withControllers := flag.Bool("controllers", false,
		"also run the Deployment, ReplicaSet, namespace and garbage-collector controllers")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: kubegen-envtest [--port N] [--controllers] DIR [-- kube-apiserver flags]")
		flag.PrintDefaults()
	}
	flag.Parse()
	args := flag.Args()
	if len(args) == 0 || (len(args) > 1 && args[1] != "--") {
		flag.Usage()
		os.Exit(2)
	}
	var extra []string
	if len(args) > 1 {
		extra = args[2:]
	}
	if err := run(args[0], *port, *withControllers, extra); err != nil {
		fmt.Fprintln(os.Stderr, "kubegen-envtest:", err)
		os.Exit(1)
	}
}
