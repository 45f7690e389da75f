// Does with a chart what Helm's commands do.
//
//	helm template CHART [KEY=VALUE..]
//	helm upgrade [--take-ownership --force-conflicts] CHART [KEY=VALUE..]
//	helm uninstall
//
// `template` asks no server. `upgrade` installs where nothing is installed, as `helm upgrade --install` does.
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
	"helm.sh/helm/v4/pkg/release"
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
	case "template":
		chart, values, err := read(arguments)
		if err != nil {
			return err
		}
		return template(config, chart, values)
	case "upgrade":
		// kubectl may own the fields that the chart sets.
		own := len(arguments) > 2 && arguments[0] == "--take-ownership" && arguments[1] == "--force-conflicts"
		if own {
			arguments = arguments[2:]
		}
		chart, values, err := read(arguments)
		if err != nil {
			return err
		}
		return upgrade(config, chart, values, own)
	case "uninstall":
		uninstall := action.NewUninstall(config)
		uninstall.WaitStrategy, uninstall.Timeout = kube.StatusWatcherStrategy, patience
		answer, err := uninstall.Run(name)
		if answer != nil {
			fmt.Println(answer.Info)
		}
		return err
	}
	return fmt.Errorf("no such verb: %s", verb)
}

func template(config *action.Configuration, chart *v2.Chart, values map[string]any) error {
	install := action.NewInstall(config)
	install.ReleaseName, install.Namespace = name, namespace
	install.DryRunStrategy, install.Replace = action.DryRunClient, true
	rendered, err := install.Run(chart, values)
	if err != nil {
		return err
	}
	accessor, err := release.NewAccessor(rendered)
	if err != nil {
		return err
	}
	fmt.Println(accessor.Manifest())
	return nil
}

func upgrade(config *action.Configuration, chart *v2.Chart, values map[string]any, own bool) error {
	if _, err := action.NewHistory(config).Run(name); errors.Is(err, driver.ErrReleaseNotFound) {
		return install(config, chart, values, own)
	}
	upgrade := action.NewUpgrade(config)
	upgrade.TakeOwnership, upgrade.ForceConflicts = own, own
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

func install(config *action.Configuration, chart *v2.Chart, values map[string]any, own bool) error {
	install := action.NewInstall(config)
	install.TakeOwnership, install.ForceConflicts = own, own
	install.ReleaseName, install.Namespace = name, namespace
	install.WaitStrategy, install.Timeout = kube.StatusWatcherStrategy, patience
	_, err := install.Run(chart, values)
	return err
}
