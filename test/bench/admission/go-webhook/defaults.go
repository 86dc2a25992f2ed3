package main

import (
	"context"
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const finalizer = "sampledb.dev/retire"

type defaulter struct{}

func orDefault[T any](given *T, others ...*T) *T {
	for _, other := range others {
		if given == nil {
			given = other
		}
	}
	return given
}

func ptr[T any](value T) *T { return &value }

func text(value string) *intstr.IntOrString { return ptr(intstr.FromString(value)) }

func isMore(a, b intstr.IntOrString) bool {
	first, errFirst := resource.ParseQuantity(a.String())
	second, errSecond := resource.ParseQuantity(b.String())
	return errFirst == nil && errSecond == nil && first.Cmp(second) > 0
}

// complete fills in what is not set; a default gives way to what is: a request above the default limit raises the limit, a limit below the
// default request lowers the request.
func complete(given resources, standard resources) resources {
	filled := resources{Requests: amounts{}, Limits: amounts{}}
	for name, request := range standard.Requests {
		filled.Requests[name] = request
		if limit, isSet := given.Limits[name]; isSet && isMore(request, limit) {
			filled.Requests[name] = limit
		}
	}
	for name, limit := range standard.Limits {
		filled.Limits[name] = limit
		if request, isSet := given.Requests[name]; isSet && isMore(request, limit) {
			filled.Limits[name] = request
		}
	}
	for name, request := range given.Requests {
		filled.Requests[name] = request
	}
	for name, limit := range given.Limits {
		filled.Limits[name] = limit
	}
	return filled
}

func standard() resources {
	return resources{
		Requests: amounts{"cpu": *text("100m"), "memory": *text("256Mi")},
		Limits:   amounts{"cpu": *text("1"), "memory": *text("512Mi")},
	}
}

func fill(sampledb *SampleDB, before *SampleDB) {
	var old spec
	var observed string
	amounts := standard()
	if before != nil {
		old, observed = before.Spec, before.Status.Version
		amounts = complete(old.Resources, amounts)
	}
	it := &sampledb.Spec
	for _, version := range []string{old.Version, observed, offered.standard} {
		if it.Version == "" {
			it.Version = version
		}
	}
	it.Storage.Size = orDefault(it.Storage.Size, old.Storage.Size, text("1Gi"))
	it.Storage.StorageClassName = orDefault(it.Storage.StorageClassName, old.Storage.StorageClassName)
	it.Database.Name = orDefault(it.Database.Name, old.Database.Name, ptr("app"))
	it.Database.Owner = orDefault(it.Database.Owner, old.Database.Owner, ptr("app"))
	it.Resources = complete(it.Resources, amounts)
	if !slices.Contains(sampledb.Finalizers, finalizer) {
		sampledb.Finalizers = append(sampledb.Finalizers, finalizer)
	}
}

// Default is called by controller-runtime, which makes a patch of what it changes.
func (defaulter) Default(ctx context.Context, object runtime.Object) error {
	sampledb := object.(*SampleDB)
	if sampledb.DeletionTimestamp != nil {
		return nil
	}
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return err
	}
	var before *SampleDB
	if len(request.OldObject.Raw) > 0 {
		before = &SampleDB{}
		if err := json.Unmarshal(request.OldObject.Raw, before); err != nil {
			return err
		}
	}
	fill(sampledb, before)
	err = refusal(sampledb, before)
	ctrl.Log.Info("reviewed", "function", "mutate", "key", request.Namespace+"/"+request.Name, "uid", request.UID, "allowed", err == nil)
	return err
}
