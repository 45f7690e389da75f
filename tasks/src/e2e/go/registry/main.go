// Serves a registry on a free port of loopback until standard input ends, and prints its address.
//
//	registry distribution|go-containerregistry FOLDER [USER PASSWORD]
//
// `distribution` is CNCF's registry, with its blobs in FOLDER/blobs and without the API for referrers;
// `go-containerregistry` has that API. With a user, both
// need it, and are served over TLS by an authority whose certificate is FOLDER/ca.pem.
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/distribution/distribution/v3/configuration"
	_ "github.com/distribution/distribution/v3/registry/auth/htpasswd"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/filesystem"
	"github.com/google/go-containerregistry/pkg/registry"
	"golang.org/x/crypto/bcrypt"
)

func main() {
	if err := serve(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		log.Fatal(err)
	}
}

func serve(kind, folder string, user []string) error {
	var handler http.Handler
	var err error
	switch kind {
	case "distribution":
		handler, err = distribution(folder, user)
	case "go-containerregistry":
		quiet := registry.Logger(log.New(io.Discard, "", 0))
		handler = registry.New(registry.WithReferrersSupport(true), quiet)
	default:
		err = fmt.Errorf("there is no registry %s", kind)
	}
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	if len(user) > 0 {
		if listener, err = overTLS(listener, filepath.Join(folder, "ca.pem")); err != nil {
			return err
		}
	}
	go func() { log.Fatal(http.Serve(listener, handler)) }()
	fmt.Println(address)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func distribution(folder string, user []string) (http.Handler, error) {
	text := fmt.Sprintf("version: 0.1\nlog: {level: error}\nstorage: {filesystem: {rootdirectory: %q}}\n", filepath.Join(folder, "blobs"))
	if len(user) == 2 {
		hash, err := bcrypt.GenerateFromPassword([]byte(user[1]), bcrypt.MinCost)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(folder, "htpasswd")
		if err := os.WriteFile(path, fmt.Appendf(nil, "%s:%s\n", user[0], hash), 0o600); err != nil {
			return nil, err
		}
		text += fmt.Sprintf("auth: {htpasswd: {realm: tests, path: %q}}\n", path)
	}
	config, err := configuration.Parse(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return handlers.NewApp(context.Background(), config), nil
}

// Makes an authority and a certificate of loopback.
func overTLS(inner net.Listener, file string) (net.Listener, error) {
	authority := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "authority of tests"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		Subject:      pkix.Name{CommonName: "registry"},
		NotBefore:    authority.NotBefore,
		NotAfter:     authority.NotAfter,
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	issuer, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	root, err := x509.CreateCertificate(rand.Reader, authority, authority, issuer.Public(), issuer)
	if err != nil {
		return nil, err
	}
	signed, err := x509.CreateCertificate(rand.Reader, leaf, authority, own.Public(), issuer)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root})
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	certificate := tls.Certificate{Certificate: [][]byte{signed}, PrivateKey: own}
	return tls.NewListener(inner, &tls.Config{Certificates: []tls.Certificate{certificate}}), nil
}
