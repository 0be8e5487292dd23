/* SPDX-License-Identifier: Apache-2.0 */

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"time"
)

const (
	adminToken = "admin-token"
	userToken  = "user-token"

	// An empty fourth column would be a group with no name, so "user" has none.
	tokens = adminToken + ",admin,1,system:masters\n" + userToken + ",user,2\n"

	kubeconfig = `apiVersion: v1
kind: Config
current-context: admin
clusters:
- name: envtest
  cluster:
    server: %[1]s
    certificate-authority: "%[2]s/ca.crt"
contexts:
- name: admin
  context: {cluster: envtest, user: admin}
- name: user
  context: {cluster: envtest, user: user}
- name: cert
  context: {cluster: envtest, user: cert}
users:
- name: admin
  user: {token: %[3]s}
- name: user
  user: {token: %[4]s}
- name: cert
  user:
    client-certificate: "%[2]s/client.crt"
    client-key: "%[2]s/client.key"
`
)

func writeKubeconfig(dir stateDir, url string) error {
	return dir.replace("kubeconfig", fmt.Sprintf(kubeconfig, url, string(dir), adminToken, userToken))
}

// makeCredentials fills a new directory; one that has its credentials keeps them, so that
// clients stay valid when the server is started again.
func makeCredentials(dir stateDir) error {
	// tokens.csv is written last: its presence says that the others are complete.
	if _, err := os.Stat(dir.file("tokens.csv")); err == nil {
		return nil
	}
	ca, caKey, err := makeCertificate(dir, "ca", &x509.Certificate{
		Subject:  pkix.Name{CommonName: "kubegen-envtest-ca"},
		IsCA:     true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}, nil, nil)
	if err != nil {
		return err
	}
	if _, _, err = makeCertificate(dir, "server", &x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}, ca, caKey); err != nil {
		return err
	}
	if _, _, err = makeCertificate(dir, "client", &x509.Certificate{
		Subject:     pkix.Name{CommonName: "admin-by-certificate", Organization: []string{"system:masters"}},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, ca, caKey); err != nil {
		return err
	}
	if _, err = makeKey(dir, "sa"); err != nil {
		return err
	}
	return dir.replace("tokens.csv", tokens)
}

func makeKey(dir stateDir, name string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	block := &pem.Block{Type: "EC PRIVATE KEY", Bytes: der}
	return key, dir.replace(name+".key", string(pem.EncodeToMemory(block)))
}

// makeCertificate writes NAME.key and NAME.crt, signed by ca or, without one, by itself.
func makeCertificate(dir stateDir, name string, template, ca *x509.Certificate,
	caKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := makeKey(dir, name)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, nil, err
	}
	template.SerialNumber = serial
	template.BasicConstraintsValid = true
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().AddDate(1, 0, 0)
	if ca == nil {
		ca, caKey = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca, key.Public(), caKey)
	if err != nil {
		return nil, nil, err
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, nil, err
	}
	block := &pem.Block{Type: "CERTIFICATE", Bytes: der}
	return made, key, dir.replace(name+".crt", string(pem.EncodeToMemory(block)))
}
