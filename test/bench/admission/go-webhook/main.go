// Command admission is what SampleDB's admission would be as a webhook of the usual kind: controller-runtime's manager, a defaulter and a
// validator, with the same rules, defaults, warnings, catalog and a log line a review. Only test/bench/admission runs it.
package main

import (
	"os"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
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
	addSampleDB(scheme)
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	port, err := strconv.Atoi(os.Getenv("PORT"))
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:        scheme,
		Metrics:       server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Port: port, CertDir: os.Getenv("CERT_DIR")}),
	})
	if err != nil {
		return err
	}
	err = ctrl.NewWebhookManagedBy(manager).For(&SampleDB{}).WithDefaulter(defaulter{}).WithValidator(validator{}).Complete()
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
