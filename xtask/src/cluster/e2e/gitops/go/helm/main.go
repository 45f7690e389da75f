// Does with a chart what Helm's commands do.
//
//	helm upgrade|template CHART [KEY=VALUE..]
//	helm rollback|uninstall
//
// `upgrade` installs where nothing is installed, as `helm upgrade --install` does.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"helm.sh/helm/v4/pkg/action"
	"helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/cli"
	"helm.sh/helm/v4/pkg/kube"
	release "helm.sh/helm/v4/pkg/release/v1"
	"helm.sh/helm/v4/pkg/storage/driver"
	"helm.sh/helm/v4/pkg/strvals"
)

const (
	name      = "crds"
	namespace = "default"
	patience  = time.Minute
)

func main() {
	settings := cli.New()
	config := action.NewConfiguration()
	if err := config.Init(settings.RESTClientGetter(), namespace, "secret"); err != nil {
		log.Fatal(err)
	}
	if err := run(config, os.Args[1], os.Args[2:]); err != nil {
		log.Fatal(err)
	}
}

func run(config *action.Configuration, verb string, arguments []string) error {
	switch verb {
	case "rollback":
		rollback := action.NewRollback(config)
		rollback.WaitStrategy, rollback.Timeout = kube.StatusWatcherStrategy, patience
		return rollback.Run(name)
	case "uninstall":
		uninstall := action.NewUninstall(config)
		uninstall.WaitStrategy, uninstall.Timeout = kube.StatusWatcherStrategy, patience
		answer, err := uninstall.Run(name)
		if answer != nil {
			fmt.Println(answer.Info)
		}
		return err
	}
	chart, values, err := read(arguments)
	if err != nil {
		return err
	}
	switch verb {
	case "template":
		return install(config, chart, values, action.DryRunClient)
	case "upgrade":
		return upgrade(config, chart, values)
	}
	return fmt.Errorf("no such verb: %s", verb)
}

func upgrade(config *action.Configuration, chart *v2.Chart, values map[string]any) error {
	if _, err := action.NewHistory(config).Run(name); errors.Is(err, driver.ErrReleaseNotFound) {
		return install(config, chart, values, action.DryRunNone)
	}
	upgrade := action.NewUpgrade(config)
	upgrade.Namespace, upgrade.WaitStrategy, upgrade.Timeout = namespace, kube.StatusWatcherStrategy, patience
	_, err := upgrade.Run(name, chart, values)
	return err
}

func read(arguments []string) (*v2.Chart, map[string]any, error) {
	chart, err := loader.Load(arguments[0])
	if err != nil {
		return nil, nil, err
	}
	values := map[string]any{}
	for _, value := range arguments[1:] {
		if err := strvals.ParseInto(value, values); err != nil {
			return nil, nil, err
		}
	}
	return chart, values, nil
}

func install(config *action.Configuration, chart *v2.Chart, values map[string]any, dry action.DryRunStrategy) error {
	install := action.NewInstall(config)
	install.ReleaseName, install.Namespace = name, namespace
	install.WaitStrategy, install.Timeout = kube.StatusWatcherStrategy, patience
	install.DryRunStrategy = dry
	made, err := install.Run(chart, values)
	if err == nil && dry != action.DryRunNone {
		fmt.Println(made.(*release.Release).Manifest)
	}
	return err
}
