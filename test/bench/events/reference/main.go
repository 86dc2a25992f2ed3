// Command reference is what SampleDB would be as a controller of the usual kind: controller-runtime, a cache that watches everything,
// CreateOrUpdate for each child, status conditions and events. It makes the same children as SampleDB's functions and reports the same
// turns; it has no deletion policies, no adoption and no diagnoses. Only test/bench/events runs it.
package main

import (
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	ctrl.SetLogger(zap.New())
	if err := run(); err != nil {
		ctrl.Log.Error(err, "ended")
		os.Exit(1)
	}
}

func run() error {
	scheme := runtime.NewScheme()
	if err := clientscheme.AddToScheme(scheme); err != nil {
		return err
	}
	addSampleDB(scheme)
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	config.UserAgent = "reference"
	// The library's default of 20 requests a second would decide everything.
	config.QPS = 1000
	config.Burst = 2000
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: server.Options{BindAddress: os.Getenv("METRICS_ADDRESS")},
	})
	if err != nil {
		return err
	}
	workers, err := strconv.Atoi(os.Getenv("WORKERS"))
	if err != nil {
		return err
	}
	reconciler := &reconciler{
		Client:   manager.GetClient(),
		scheme:   scheme,
		recorder: manager.GetEventRecorderFor("reference"),
	}
	if err := reconciler.setUp(manager, workers); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
