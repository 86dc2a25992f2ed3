package main

import (
	"context"
	"maps"
	"reflect"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type reconciler struct {
	client.Client
	scheme   *runtime.Scheme
	recorder record.EventRecorder
}

// children are those of one SampleDB, as the cache or the last write shows them.
type children struct {
	secret, superuser corev1.Secret
	config            corev1.ConfigMap
	service, headless corev1.Service
	budget            policyv1.PodDisruptionBudget
	claim             corev1.PersistentVolumeClaim
	set               appsv1.StatefulSet
	job               batchv1.Job
}

func (r *reconciler) setUp(manager ctrl.Manager, workers int) error {
	return ctrl.NewControllerManagedBy(manager).
		For(&SampleDB{}).
		Owns(&corev1.Secret{}).Owns(&corev1.ConfigMap{}).Owns(&corev1.Service{}).Owns(&policyv1.PodDisruptionBudget{}).
		Owns(&corev1.PersistentVolumeClaim{}).Owns(&appsv1.StatefulSet{}).Owns(&batchv1.Job{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(r)
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var db SampleDB
	if err := r.Get(ctx, request.NamespacedName, &db); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !db.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	var all children
	err := r.markInitialized(ctx, &db)
	if err == nil {
		err = r.provision(ctx, &db, &all)
	}
	if err == nil {
		err = r.keepVolume(ctx, &db, &all.claim)
	}
	if err == nil {
		err = r.initialize(ctx, &db, &all)
	}
	if err == nil {
		err = r.report(ctx, &db, &all)
	}
	// What is stale in the cache is tried again once it has caught up.
	if apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) {
		return ctrl.Result{Requeue: true}, nil
	}
	return ctrl.Result{}, err
}

// ensure makes the child or brings it in order.
func (r *reconciler) ensure(ctx context.Context, db *SampleDB, child client.Object, name string, fill func()) error {
	child.SetNamespace(db.Namespace)
	child.SetName(name)
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, child, func() error {
		labels := maps.Clone(child.GetLabels())
		if labels == nil {
			labels = map[string]string{}
		}
		maps.Copy(labels, labelsOf(db))
		child.SetLabels(labels)
		fill()
		return controllerutil.SetControllerReference(db, child, r.scheme)
	})
	return err
}

func (r *reconciler) provision(ctx context.Context, db *SampleDB, all *children) error {
	steps := []struct {
		child client.Object
		name  string
		fill  func()
	}{
		{&all.secret, db.Name, func() { fillOwnerSecret(db, &all.secret) }},
		{&all.superuser, db.Name + "-superuser", func() { fillSuperuserSecret(&all.superuser) }},
		{&all.claim, db.Name + "-1-1", func() { fillClaim(db, &all.claim) }},
		{&all.config, db.Name, func() { fillConfig(&all.config, all.claim.Annotations[initialized] != "") }},
		{&all.headless, db.Name + "-headless", func() { fillService(db, &all.headless, true) }},
		{&all.service, db.Name, func() { fillService(db, &all.service, false) }},
		{&all.budget, db.Name, func() { fillBudget(db, &all.budget) }},
		{&all.set, db.Name + "-1", func() { fillStatefulSet(db, &all.set) }},
	}
	for _, step := range steps {
		if err := r.ensure(ctx, db, step.child, step.name, step.fill); err != nil {
			return err
		}
	}
	return nil
}

// fillStatefulSet changes only what it wants otherwise, so that the API server's defaults are no difference.
func fillStatefulSet(db *SampleDB, set *appsv1.StatefulSet) {
	if set.UID != "" {
		set.Spec.Template.Spec.Containers[0].Image = image
		set.Spec.Template.Spec.Containers[0].Resources = resourcesOf(db)
		return
	}
	set.Spec = appsv1.StatefulSetSpec{
		Replicas: ptr.To(int32(1)), ServiceName: db.Name + "-headless", PodManagementPolicy: appsv1.ParallelPodManagement,
		Selector: &metav1.LabelSelector{MatchLabels: map[string]string{label: db.Name, "sampledb.dev/instance": "1"}},
		Template: database(db),
	}
}

func (r *reconciler) keepVolume(ctx context.Context, db *SampleDB, claim *corev1.PersistentVolumeClaim) error {
	if claim.Status.Phase != corev1.ClaimBound {
		return nil
	}
	var volume corev1.PersistentVolume
	if err := r.Get(ctx, types.NamespacedName{Name: claim.Spec.VolumeName}, &volume); err != nil {
		return client.IgnoreNotFound(err)
	}
	if volume.Spec.PersistentVolumeReclaimPolicy == corev1.PersistentVolumeReclaimRetain {
		return nil
	}
	before := volume.DeepCopy()
	volume.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimRetain
	if volume.Labels == nil {
		volume.Labels = map[string]string{}
	}
	volume.Labels[label] = db.Name
	return r.Patch(ctx, &volume, client.MergeFrom(before))
}

// markInitialized writes on the claim that a database was seen running on it.
func (r *reconciler) markInitialized(ctx context.Context, db *SampleDB) error {
	var set appsv1.StatefulSet
	if err := r.Get(ctx, types.NamespacedName{Namespace: db.Namespace, Name: db.Name + "-1"}, &set); err != nil {
		return client.IgnoreNotFound(err)
	}
	var claim corev1.PersistentVolumeClaim
	if err := r.Get(ctx, types.NamespacedName{Namespace: db.Namespace, Name: db.Name + "-1-1"}, &claim); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !isServing(&set) || claim.Annotations[initialized] != "" {
		return nil
	}
	return r.annotate(ctx, &claim, initialized, "true")
}

func (r *reconciler) annotate(ctx context.Context, claim *corev1.PersistentVolumeClaim, name, value string) error {
	before := claim.DeepCopy()
	if claim.Annotations == nil {
		claim.Annotations = map[string]string{}
	}
	claim.Annotations[name] = value
	return r.Patch(ctx, claim, client.MergeFrom(before))
}

func isServing(set *appsv1.StatefulSet) bool {
	return set.Status.ReadyReplicas >= 1 && set.Status.ObservedGeneration == set.Generation &&
		set.Status.CurrentRevision == set.Status.UpdateRevision
}

// initialize runs the init Job once a volume: that it ran is written on the claim.
func (r *reconciler) initialize(ctx context.Context, db *SampleDB, all *children) error {
	if !isServing(&all.set) || all.claim.Annotations[initDone] != "" {
		return nil
	}
	err := r.ensure(ctx, db, &all.job, db.Name+"-init", func() {
		if all.job.UID == "" {
			all.job.Spec = initJobSpec(db)
		}
	})
	if err != nil || all.job.Status.Succeeded == 0 {
		return err
	}
	return r.annotate(ctx, &all.claim, initDone, "none")
}

func (r *reconciler) report(ctx context.Context, db *SampleDB, all *children) error {
	next := db.DeepCopy()
	turns := fillStatus(next, all)
	if reflect.DeepEqual(db.Status, next.Status) {
		return nil
	}
	if err := r.Status().Update(ctx, next); err != nil {
		return err
	}
	for _, turn := range turns {
		r.recorder.Event(next, corev1.EventTypeNormal, turn.Reason, turn.Message)
	}
	return nil
}
