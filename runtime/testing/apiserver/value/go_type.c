/* SPDX-License-Identifier: Apache-2.0 */
#include "go_type.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

/* Fields whose Go type has a name that the JSON does not show; sorted. */
static const struct field {
    const char *name;
    const char *type;
} fields[] = {
    {"APIResource.verbs", "v1.Verbs"},
    {"AppArmorProfile.type", "v1.AppArmorProfileType"},
    {"AttachedVolume.name", "v1.UniqueVolumeName"},
    {"AzureDiskVolumeSource.cachingMode", "v1.AzureDataDiskCachingMode"},
    {"AzureDiskVolumeSource.kind", "v1.AzureDataDiskKind"},
    {"BoundObjectReference.uid", "types.UID"},
    {"Capabilities.add", "[]v1.Capability"},
    {"Capabilities.drop", "[]v1.Capability"},
    {"Condition.status", "v1.ConditionStatus"},
    {"ConfigMapNodeConfigSource.uid", "types.UID"},
    {"Container.imagePullPolicy", "v1.PullPolicy"},
    {"Container.restartPolicy", "v1.ContainerRestartPolicy"},
    {"Container.terminationMessagePolicy", "v1.TerminationMessagePolicy"},
    {"ContainerPort.protocol", "v1.Protocol"},
    {"ContainerResizePolicy.resourceName", "v1.ResourceName"},
    {"ContainerResizePolicy.restartPolicy", "v1.ResourceResizeRestartPolicy"},
    {"ContainerRestartRule.action", "v1.ContainerRestartRuleAction"},
    {"ContainerRestartRuleOnExitCodes.operator", "v1.ContainerRestartRuleOnExitCodesOperator"},
    {"ContainerStatus.allocatedResources", "v1.ResourceList"},
    {"ContainerStatus.stopSignal", "v1.Signal"},
    {"CustomResourceConversion.strategy", "v1.ConversionStrategyType"},
    {"CustomResourceDefinitionCondition.status", "v1.ConditionStatus"},
    {"CustomResourceDefinitionCondition.type", "v1.CustomResourceDefinitionConditionType"},
    {"CustomResourceDefinitionSpec.scope", "v1.ResourceScope"},
    {"DaemonSetCondition.status", "v1.ConditionStatus"},
    {"DaemonSetCondition.type", "v1.DaemonSetConditionType"},
    {"DaemonSetUpdateStrategy.type", "v1.DaemonSetUpdateStrategyType"},
    {"DeleteOptions.propagationPolicy", "v1.DeletionPropagation"},
    {"DeploymentCondition.status", "v1.ConditionStatus"},
    {"DeploymentCondition.type", "v1.DeploymentConditionType"},
    {"DeploymentStrategy.type", "v1.DeploymentStrategyType"},
    {"EmptyDirVolumeSource.medium", "v1.StorageMedium"},
    {"EndpointPort.protocol", "v1.Protocol"},
    {"FieldSelectorRequirement.operator", "v1.FieldSelectorOperator"},
    {"GRPCAction.mode", "v1.GRPCProbeMode"},
    {"HTTPGetAction.protocol", "v1.HTTPProtocol"},
    {"HTTPGetAction.scheme", "v1.URIScheme"},
    {"HostPathVolumeSource.type", "v1.HostPathType"},
    {"ImageVolumeSource.pullPolicy", "v1.PullPolicy"},
    {"JSONSchemaProps.$schema", "v1.JSONSchemaURL"},
    {"JSONSchemaProps.definitions", "v1.JSONSchemaDefinitions"},
    {"JSONSchemaProps.dependencies", "v1.JSONSchemaDependencies"},
    {"JSONSchemaProps.x-kubernetes-validations", "v1.ValidationRules"},
    {"LabelSelectorRequirement.operator", "v1.LabelSelectorOperator"},
    {"LeaseSpec.strategy", "v1.CoordinatedLeaseStrategy"},
    {"Lifecycle.stopSignal", "v1.Signal"},
    {"LoadBalancerIngress.ipMode", "v1.LoadBalancerIPMode"},
    {"ManagedFieldsEntry.operation", "v1.ManagedFieldsOperationType"},
    {"ModifyVolumeStatus.status", "v1.PersistentVolumeClaimModifyVolumeStatus"},
    {"NamespaceCondition.status", "v1.ConditionStatus"},
    {"NamespaceCondition.type", "v1.NamespaceConditionType"},
    {"NamespaceSpec.finalizers", "[]v1.FinalizerName"},
    {"NamespaceStatus.phase", "v1.NamespacePhase"},
    {"NodeAddress.type", "v1.NodeAddressType"},
    {"NodeAllocatableMappedResources.name", "v1.ResourceName"},
    {"NodeAllocatableOverheadResources.name", "v1.ResourceName"},
    {"NodeCondition.status", "v1.ConditionStatus"},
    {"NodeCondition.type", "v1.NodeConditionType"},
    {"NodeSelectorRequirement.operator", "v1.NodeSelectorOperator"},
    {"NodeStatus.allocatable", "v1.ResourceList"},
    {"NodeStatus.capacity", "v1.ResourceList"},
    {"NodeStatus.phase", "v1.NodePhase"},
    {"NodeStatus.volumesInUse", "[]v1.UniqueVolumeName"},
    {"ObjectMeta.uid", "types.UID"},
    {"ObjectReference.uid", "types.UID"},
    {"OwnerReference.uid", "types.UID"},
    {"PersistentVolumeClaimCondition.status", "v1.ConditionStatus"},
    {"PersistentVolumeClaimCondition.type", "v1.PersistentVolumeClaimConditionType"},
    {"PersistentVolumeClaimSpec.accessModes", "[]v1.PersistentVolumeAccessMode"},
    {"PersistentVolumeClaimSpec.volumeMode", "v1.PersistentVolumeMode"},
    {"PersistentVolumeClaimStatus.accessModes", "[]v1.PersistentVolumeAccessMode"},
    {"PersistentVolumeClaimStatus.allocatedResourceStatuses",
     "map[ResourceName]v1.ClaimResourceStatus"},
    {"PersistentVolumeClaimStatus.allocatedResources", "v1.ResourceList"},
    {"PersistentVolumeClaimStatus.capacity", "v1.ResourceList"},
    {"PersistentVolumeClaimStatus.phase", "v1.PersistentVolumeClaimPhase"},
    {"PodCondition.status", "v1.ConditionStatus"},
    {"PodCondition.type", "v1.PodConditionType"},
    {"PodOS.name", "v1.OSName"},
    {"PodReadinessGate.conditionType", "v1.PodConditionType"},
    {"PodSecurityContext.fsGroupChangePolicy", "v1.PodFSGroupChangePolicy"},
    {"PodSecurityContext.seLinuxChangePolicy", "v1.PodSELinuxChangePolicy"},
    {"PodSecurityContext.supplementalGroupsPolicy", "v1.SupplementalGroupsPolicy"},
    {"PodSpec.dnsPolicy", "v1.DNSPolicy"},
    {"PodSpec.overhead", "v1.ResourceList"},
    {"PodSpec.preemptionPolicy", "v1.PreemptionPolicy"},
    {"PodSpec.restartPolicy", "v1.RestartPolicy"},
    {"PodStatus.allocatedResources", "v1.ResourceList"},
    {"PodStatus.phase", "v1.PodPhase"},
    {"PodStatus.qosClass", "v1.PodQOSClass"},
    {"PodStatus.resize", "v1.PodResizeStatus"},
    {"PortStatus.protocol", "v1.Protocol"},
    {"Preconditions.uid", "types.UID"},
    {"ReplicaSetCondition.status", "v1.ConditionStatus"},
    {"ReplicaSetCondition.type", "v1.ReplicaSetConditionType"},
    {"ResourceHealth.health", "v1.ResourceHealthStatus"},
    {"ResourceHealth.resourceID", "v1.ResourceID"},
    {"ResourceRequirements.limits", "v1.ResourceList"},
    {"ResourceRequirements.requests", "v1.ResourceList"},
    {"ResourceStatus.name", "v1.ResourceName"},
    {"SeccompProfile.type", "v1.SeccompProfileType"},
    {"Secret.type", "v1.SecretType"},
    {"SecurityContext.procMount", "v1.ProcMountType"},
    {"ServicePort.protocol", "v1.Protocol"},
    {"ServiceSpec.externalTrafficPolicy", "v1.ServiceExternalTrafficPolicy"},
    {"ServiceSpec.internalTrafficPolicy", "v1.ServiceInternalTrafficPolicy"},
    {"ServiceSpec.ipFamilies", "[]v1.IPFamily"},
    {"ServiceSpec.ipFamilyPolicy", "v1.IPFamilyPolicy"},
    {"ServiceSpec.sessionAffinity", "v1.ServiceAffinity"},
    {"ServiceSpec.type", "v1.ServiceType"},
    {"StatefulSetCondition.status", "v1.ConditionStatus"},
    {"StatefulSetCondition.type", "v1.StatefulSetConditionType"},
    {"StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted",
     "v1.PersistentVolumeClaimRetentionPolicyType"},
    {"StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled",
     "v1.PersistentVolumeClaimRetentionPolicyType"},
    {"StatefulSetSpec.podManagementPolicy", "v1.PodManagementPolicyType"},
    {"StatefulSetUpdateStrategy.type", "v1.StatefulSetUpdateStrategyType"},
    {"Status.reason", "v1.StatusReason"},
    {"StatusCause.reason", "v1.CauseType"},
    {"StatusDetails.uid", "types.UID"},
    {"SubjectAccessReviewSpec.extra", "map[string]v1.ExtraValue"},
    {"Taint.effect", "v1.TaintEffect"},
    {"TokenRequestSpec.attestations", "map[string]v1.AttestationValue"},
    {"Toleration.effect", "v1.TaintEffect"},
    {"Toleration.operator", "v1.TolerationOperator"},
    {"TopologySpreadConstraint.nodeAffinityPolicy", "v1.NodeInclusionPolicy"},
    {"TopologySpreadConstraint.nodeTaintsPolicy", "v1.NodeInclusionPolicy"},
    {"TopologySpreadConstraint.whenUnsatisfiable", "v1.UnsatisfiableConstraintAction"},
    {"UserInfo.extra", "map[string]v1.ExtraValue"},
    {"ValidationRule.reason", "v1.FieldValueErrorReason"},
    {"VolumeHealthCondition.status", "v1.VolumeHealthStatusType"},
    {"VolumeMount.mountPropagation", "v1.MountPropagationMode"},
    {"VolumeMount.recursiveReadOnly", "v1.RecursiveReadOnlyMode"},
    {"VolumeMountStatus.recursiveReadOnly", "v1.RecursiveReadOnlyMode"},
    {"VolumeResourceRequirements.limits", "v1.ResourceList"},
    {"VolumeResourceRequirements.requests", "v1.ResourceList"},
};

/* Fields that come from an embedded struct, which the path names; NULL = all but one. */
static const struct {
    const char *type;
    const char *embedded;
    const char *only;
    const char *except;
} embedded_structs[] = {
    {"ConfigMapEnvSource", "LocalObjectReference", "name", NULL},
    {"ConfigMapKeySelector", "LocalObjectReference", "name", NULL},
    {"ConfigMapProjection", "LocalObjectReference", "name", NULL},
    {"ConfigMapVolumeSource", "LocalObjectReference", "name", NULL},
    {"EphemeralContainer", "EphemeralContainerCommon", NULL, "targetContainerName"},
    {"Probe", "ProbeHandler", "exec", NULL},
    {"Probe", "ProbeHandler", "grpc", NULL},
    {"Probe", "ProbeHandler", "httpGet", NULL},
    {"Probe", "ProbeHandler", "tcpSocket", NULL},
    {"SecretEnvSource", "LocalObjectReference", "name", NULL},
    {"SecretKeySelector", "LocalObjectReference", "name", NULL},
    {"SecretProjection", "LocalObjectReference", "name", NULL},
    {"Volume", "VolumeSource", NULL, "name"},
};

static int by_name(const void *key, const void *entry)
{
    return strcmp(key, ((const struct field *)entry)->name);
}

const char *kube__api_go_field(kube_ctx *ctx, const char *type, const char *field)
{
    const char *key = kube__api_text(ctx, "%s.%s", type, field);
    const struct field *found =
        key ? bsearch(key, fields, sizeof fields / sizeof *fields, sizeof *fields, by_name) : NULL;
    return found ? found->type : NULL;
}

const char *kube__api_go_embedded(const char *type, const char *field)
{
    for (size_t i = 0; i < sizeof embedded_structs / sizeof *embedded_structs; i++) {
        if (strcmp(embedded_structs[i].type, type) != 0)
            continue;
        if (embedded_structs[i].only ? strcmp(embedded_structs[i].only, field) == 0
                                     : strcmp(embedded_structs[i].except, field) != 0)
            return embedded_structs[i].embedded;
    }
    return NULL;
}
