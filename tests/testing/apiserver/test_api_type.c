/* SPDX-License-Identifier: Apache-2.0 */
/* What a kube-apiserver (v1.37.1) said of documents that Go cannot decode, word for word. */
#include "schema_fixture.h"

static const struct {
    const char *object;
    const char *fault;
} deployments[] = {
    {"{'spec':{'replicas':'x'}}", "json: cannot unmarshal string into Go struct field "
                                  "DeploymentSpec.spec.replicas of type int32"},
    {"{'spec':{'replicas':1.5}}", "json: cannot unmarshal number 1.5 into Go struct field "
                                  "DeploymentSpec.spec.replicas of type int32"},
    {"{'spec':{'replicas':3000000000}}", "json: cannot unmarshal number 3000000000 into Go struct "
                                         "field DeploymentSpec.spec.replicas of type int32"},
    {"{'spec':{'replicas':true}}",
     "json: cannot unmarshal bool into Go struct field DeploymentSpec.spec.replicas of type int32"},
    {"{'spec':{'replicas':{}}}", "json: cannot unmarshal object into Go struct field "
                                 "DeploymentSpec.spec.replicas of type int32"},
    {"{'spec':{'paused':1}}",
     "json: cannot unmarshal number into Go struct field DeploymentSpec.spec.paused of type bool"},
    {"{'spec':{'selector':5}}", "json: cannot unmarshal number into Go struct field "
                                "DeploymentSpec.spec.selector of type v1.LabelSelector"},
    {"{'spec':{'selector':{'matchLabels':{'a':5}}}}",
     "json: cannot unmarshal number into Go struct field LabelSelector.spec.selector.matchLabels "
     "of type string"},
    {"{'metadata':{'labels':'x'}}", "json: cannot unmarshal string into Go struct field "
                                    "ObjectMeta.metadata.labels of type map[string]string"},
    {"{'metadata':{'labels':{'a':5}}}", "json: cannot unmarshal number into Go struct field "
                                        "ObjectMeta.metadata.labels of type string"},
    {"{'spec':{'template':{'spec':{'containers':'x'}}}}",
     "json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers of "
     "type []v1.Container"},
    {"{'spec':{'template':{'spec':{'containers':['x']}}}}",
     "json: cannot unmarshal string into Go struct field PodSpec.spec.template.spec.containers of "
     "type v1.Container"},
    {"{'spec':{'template':{'spec':{'containers':{}}}}}",
     "json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.containers of "
     "type []v1.Container"},
    {"{'spec':{'template':{'spec':{'containers':[{'imagePullPolicy':5}]}}}}",
     "json: cannot unmarshal number into Go struct field "
     "Container.spec.template.spec.containers.imagePullPolicy of type v1.PullPolicy"},
    {"{'spec':{'template':{'spec':{'containers':[{'resources':{'limits':{'cpu':'x'}}}]}}}}",
     "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
    {"{'spec':{'template':{'spec':{'containers':[{'resources':{'limits':{'cpu':'1x'}}}]}}}}",
     "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
    {"{'spec':{'template':{'spec':{'containers':[{'resources':{'limits':{'cpu':{}}}}]}}}}",
     "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
    {"{'spec':{'template':{'spec':{'containers':[{'resources':{'limits':5}}]}}}}",
     "json: cannot unmarshal number into Go struct field "
     "ResourceRequirements.spec.template.spec.containers.resources.limits of type v1.ResourceList"},
    {"{'spec':{'template':{'spec':{'containers':[{'ports':[{'containerPort':'x','protocol':5}]}]}}}"
     "}",
     "json: cannot unmarshal string into Go struct field "
     "ContainerPort.spec.template.spec.containers.ports.containerPort of type int32"},
    {"{'spec':{'template':{'spec':{'containers':[{'ports':[{'protocol':5}]}]}}}}",
     "json: cannot unmarshal number into Go struct field "
     "ContainerPort.spec.template.spec.containers.ports.protocol of type v1.Protocol"},
    {"{'spec':{'template':{'spec':{'containers':[{'livenessProbe':{'httpGet':{'port':{}}}}]}}}}",
     "json: cannot unmarshal object into Go struct field "
     "HTTPGetAction.spec.template.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type "
     "int32"},
    {"{'spec':{'template':{'spec':{'containers':[{'livenessProbe':{'httpGet':{'port':1.5}}}]}}}}",
     "json: cannot unmarshal number 1.5 into Go struct field "
     "HTTPGetAction.spec.template.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type "
     "int32"},
    {"{'spec':{'template':{'spec':{'containers':[{'args':[1]}]}}}}",
     "json: cannot unmarshal number into Go struct field "
     "Container.spec.template.spec.containers.args of type string"},
    {"{'spec':{'template':{'spec':{'containers':[{'args':5}]}}}}",
     "json: cannot unmarshal number into Go struct field "
     "Container.spec.template.spec.containers.args of type []string"},
    {"{'metadata':{'creationTimestamp':'x'}}",
     "parsing time 'x' as '2006-01-02T15:04:05Z07:00': cannot parse 'x' as '2006'"},
    {"{'metadata':{'creationTimestamp':5}}",
     "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of "
     "type string"},
    {"{'metadata':{'creationTimestamp':'2020-13-01T00:00:00Z'}}",
     "parsing time '2020-13-01T00:00:00Z': month out of range"},
    {"{'metadata':{'creationTimestamp':'2020-01-01'}}",
     "parsing time '2020-01-01' as '2006-01-02T15:04:05Z07:00': cannot parse '' as 'T'"},
    {"{'metadata':{'managedFields':'x'}}",
     "json: cannot unmarshal string into Go struct field ObjectMeta.metadata.managedFields of type "
     "[]v1.ManagedFieldsEntry"},
    {"{'spec':{'strategy':{'rollingUpdate':{'maxSurge':[]}}}}",
     "json: cannot unmarshal array into Go struct field "
     "RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32"},
    {"{'spec':{'template':{'spec':{'tolerations':[{'effect':5}]}}}}",
     "json: cannot unmarshal number into Go struct field "
     "Toleration.spec.template.spec.tolerations.effect of type v1.TaintEffect"},
    {"{'metadata':'x'}", "json: cannot unmarshal string into Go struct field Deployment.metadata "
                         "of type v1.ObjectMeta"},
    {"{'spec':{'template':{'spec':{'restartPolicy':{}}}}}",
     "json: cannot unmarshal object into Go struct field PodSpec.spec.template.spec.restartPolicy "
     "of type v1.RestartPolicy"},
    {"{'metadata':{'generation':'1'}}", "json: cannot unmarshal string into Go struct field "
                                        "ObjectMeta.metadata.generation of type int64"},
};

static const char *fault_of(const kube__api_schema *schema, const char *api_version,
                            const char *kind, kube__json *object)
{
    kube__json_set_string(ctx, object, "apiVersion", api_version);
    kube__json_set_string(ctx, object, "kind", kind);
    kube__api_failure *failure = kube__api_schema_check_types(ctx, schema, object, kind);
    if (!failure)
        return NULL;
    ck_assert_int_eq(failure->http_status, 400);
    ck_assert_str_eq(failure->reason, "BadRequest");
    const char *head =
        kube_printf(ctx, "%s in version 'v1' cannot be handled as a %s: ", kind, kind);
    const char *text = with_ticks(failure->message);
    ck_assert_msg(strncmp(text, head, strlen(head)) == 0, "%s", text);
    return text + strlen(head);
}

FIXTURE(set_up, tear_down);

TEST_EACH(wrong_types_of_builtins_are_told_as_go_does, deployments)
{
    const kube__api_schema *schema = kube__api_schema_of_builtin(ctx, "apps", "v1", "Deployment");
    ck_assert_str_eq(fault_of(schema, "apps/v1", "Deployment", parse(deployments[_i].object)),
                     deployments[_i].fault);
}

TEST(bytes_are_base64)
{
    static const struct {
        const char *value;
        const char *fault;
    } cases[] = {
        {"'%%'", "illegal base64 data at input byte 0"},
        {"'YQ'", "illegal base64 data at input byte 0"},
        {"5", "json: cannot unmarshal number into Go struct field Secret.data of type []uint8"},
        {"'YQ=='", NULL},
        {"'YWI='", NULL},
        {"'YWJj'", NULL},
        {"''", NULL},
    };
    const kube__api_schema *schema = kube__api_schema_of_builtin(ctx, "", "v1", "Secret");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kube__json *object = parse("{'data':{}}");
        kube__json_set(ctx, kube__json_get(object, "data"), "a", parse(cases[i].value));
        const char *fault = fault_of(schema, "v1", "Secret", object);
        ck_assert_pstr_eq(fault, cases[i].fault);
    }
}

TEST(what_fits_is_not_told)
{
    const kube__api_schema *schema = kube__api_schema_of_builtin(ctx, "apps", "v1", "Deployment");
    ck_assert_ptr_null(fault_of(
        schema, "apps/v1", "Deployment",
        parse("{'metadata':{'creationTimestamp':'2020-02-29T23:59:59.5+01:00','labels':null,"
              "'managedFields':[{'fieldsV1':{'f:a':{'.':{}}}}]},"
              "'spec':{'replicas':3,'unknown':{},'strategy':{'rollingUpdate':{'maxSurge':'25%',"
              "'maxUnavailable':1}},'template':{'spec':{'containers':[{'resources':{'limits':{"
              "'cpu':1,'memory':'1Gi','a':'1e3'}}}]}}}}")));
}

TEST(metadata_of_custom_resources_is_a_go_struct)
{
    static const struct {
        const char *object;
        const char *fault;
    } cases[] = {
        {"{'metadata':{'labels':{'a':5}}}",
         "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string"},
        {"{'metadata':{'finalizers':'x'}}",
         "json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type "
         "[]string"},
        {"{'metadata':{'generation':1.5}}",
         "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type "
         "int64"},
        {"{'metadata':{'ownerReferences':[{'uid':5}]}}",
         "json: cannot unmarshal number into Go struct field OwnerReference.ownerReferences.uid "
         "of type types.UID"},
        {"{'metadata':'x'}", "json: cannot unmarshal string into Go value of type v1.ObjectMeta"},
        {"{'metadata':{},'spec':{'e':{'kind':5,'apiVersion':'v1'}}}",
         "spec.e.kind: Invalid value: 5: must be a string"},
        {"{'metadata':{},'spec':{'e':{'kind':'A','apiVersion':'v1','metadata':{'labels':{'a':5}}}}"
         "}",
         "spec.e.metadata: Invalid value: {'labels':{'a':5}}: json: cannot unmarshal number into "
         "Go struct field ObjectMeta.labels of type string"},
        {"{'metadata':{},'spec':{'i':'no integer, which is told with 422'}}", NULL},
    };
    const kube__api_schema *schema = crd_schema(
        "{'type':'object','properties':{'spec':{'type':'object','properties':{"
        "'i':{'type':'integer'},'e':{'type':'object','x-kubernetes-embedded-resource':true,"
        "'x-kubernetes-preserve-unknown-fields':true}}}}}");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_pstr_eq(fault_of(schema, "ex.com/v1", "K", parse(cases[i].object)),
                          cases[i].fault);
}
