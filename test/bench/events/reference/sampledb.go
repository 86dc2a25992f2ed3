package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "sampledb.dev", Version: "v1"}

// SampleDB, as far as the reference reads it.
type SampleDB struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec"`
	Status            Status `json:"status,omitempty"`
}

type Spec struct {
	Version   string                      `json:"version,omitempty"`
	Storage   Storage                     `json:"storage,omitempty"`
	Database  Database                    `json:"database,omitempty"`
	Resources corev1.ResourceRequirements `json:"resources,omitempty"`
}

type Storage struct {
	Size             string  `json:"size,omitempty"`
	StorageClassName *string `json:"storageClassName,omitempty"`
}

type Database struct {
	Name  string `json:"name,omitempty"`
	Owner string `json:"owner,omitempty"`
}

type Status struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	Binding            *Binding           `json:"binding,omitempty"`
	Version            string             `json:"version,omitempty"`
	Endpoint           string             `json:"endpoint,omitempty"`
	Storage            *StatusStorage     `json:"storage,omitempty"`
}

type Binding struct {
	Name string `json:"name"`
}

type StatusStorage struct {
	Claim    string `json:"claim,omitempty"`
	Capacity string `json:"capacity,omitempty"`
}

type SampleDBList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []SampleDB `json:"items"`
}

func (in *SampleDB) DeepCopyObject() runtime.Object { return in.DeepCopy() }

func (in *SampleDB) DeepCopy() *SampleDB {
	out := *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	in.Spec.Resources.DeepCopyInto(&out.Spec.Resources)
	out.Status.Conditions = append([]metav1.Condition(nil), in.Status.Conditions...)
	return &out
}

func (in *SampleDBList) DeepCopyObject() runtime.Object {
	out := *in
	out.Items = nil
	for i := range in.Items {
		out.Items = append(out.Items, *in.Items[i].DeepCopy())
	}
	return &out
}

func addSampleDB(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(groupVersion, &SampleDB{}, &SampleDBList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
}
