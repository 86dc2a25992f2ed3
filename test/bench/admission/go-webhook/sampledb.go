package main

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type amounts = map[string]intstr.IntOrString

type storage struct {
	Size             *intstr.IntOrString `json:"size,omitempty"`
	StorageClassName *string             `json:"storageClassName,omitempty"`
}

type database struct {
	Name  *string `json:"name,omitempty"`
	Owner *string `json:"owner,omitempty"`
}

type keyRef struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

type script struct {
	ConfigMapKeyRef *keyRef `json:"configMapKeyRef,omitempty"`
	SecretKeyRef    *keyRef `json:"secretKeyRef,omitempty"`
}

type resources struct {
	Requests amounts `json:"requests,omitempty"`
	Limits   amounts `json:"limits,omitempty"`
}

type deletion struct {
	Policy     string `json:"policy,omitempty"`
	Protection *bool  `json:"protection,omitempty"`
}

type spec struct {
	Version   string    `json:"version,omitempty"`
	Image     string    `json:"image,omitempty"`
	Storage   storage   `json:"storage,omitzero"`
	Database  database  `json:"database,omitzero"`
	Init      []script  `json:"init,omitempty"`
	Resources resources `json:"resources,omitzero"`
	Deletion  deletion  `json:"deletion,omitzero"`
	Paused    *bool     `json:"paused,omitempty"`
}

type status struct {
	Version string `json:"version,omitempty"`
}

// SampleDB is the object, with all that its defaults and rules are about.
type SampleDB struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              spec   `json:"spec,omitzero"`
	Status            status `json:"status,omitzero"`
}

func copied[T any](value *T) *T {
	if value == nil {
		return nil
	}
	return ptr(*value)
}

// DeepCopyObject is what the scheme asks for.
func (in *SampleDB) DeepCopyObject() runtime.Object {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Spec.Storage = storage{Size: copied(in.Spec.Storage.Size), StorageClassName: copied(in.Spec.Storage.StorageClassName)}
	out.Spec.Database = database{Name: copied(in.Spec.Database.Name), Owner: copied(in.Spec.Database.Owner)}
	out.Spec.Init = slices.Clone(in.Spec.Init)
	for index, each := range out.Spec.Init {
		out.Spec.Init[index] = script{ConfigMapKeyRef: copied(each.ConfigMapKeyRef), SecretKeyRef: copied(each.SecretKeyRef)}
	}
	out.Spec.Resources = resources{Requests: maps.Clone(in.Spec.Resources.Requests), Limits: maps.Clone(in.Spec.Resources.Limits)}
	out.Spec.Deletion.Protection = copied(in.Spec.Deletion.Protection)
	out.Spec.Paused = copied(in.Spec.Paused)
	return &out
}

func addSampleDB(scheme *runtime.Scheme) {
	version := schema.GroupVersion{Group: "sampledb.dev", Version: "v1"}
	scheme.AddKnownTypeWithName(version.WithKind("SampleDB"), &SampleDB{})
	metav1.AddToGroupVersion(scheme, version)
}
