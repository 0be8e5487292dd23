/* SPDX-License-Identifier: Apache-2.0 */
/* What a kube-apiserver (v1.37.1) said of CRDs: causes word for word, sorted; "" = it took them. */
#ifndef TESTS_CRD_CASES_H
#define TESTS_CRD_CASES_H

static const struct {
    const char *name;
    const char *crd;
    const char *causes;
} crd_cases[] = {
    {"name",
     "{'metadata':{'name':'x.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'plural':"
     "'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}]}}",
     "Invalid metadata.name: Invalid value: 'x.ex.com': must be spec.names.plural+'.'+spec.group"},
    {"group",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'','scope':'Cluster','names':{'plural':'"
     "bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}]}}",
     "Invalid metadata.name: Invalid value: 'bad.ex.com': must be "
     "spec.names.plural+'.'+spec.group\n"
     "Required spec.group: Required value"},
    {"group2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'foo','scope':'Cluster','names':{'plural':'"
     "bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}]}}",
     "Invalid metadata.name: Invalid value: 'bad.ex.com': must be "
     "spec.names.plural+'.'+spec.group\n"
     "Invalid spec.group: Invalid value: 'foo': should be a domain with at least one dot"},
    {"group3",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'A.b','scope':'Cluster','names':{'plural':'"
     "bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}]}}",
     "Invalid metadata.name: Invalid value: 'bad.ex.com': must be "
     "spec.names.plural+'.'+spec.group\n"
     "Invalid spec.group: Invalid value: 'A.b': a lowercase RFC 1123 subdomain must consist of "
     "lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric "
     "character (e.g. 'example.com', regex used for validation is "
     "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"},
    {"scope",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'','names':{'plural':'bad'"
     ",'kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}]}}",
     "Required spec.scope: Required value"},
    {"scope2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'x','names':{'plural':'"
     "bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}]}}",
     "NotSupported spec.scope: Unsupported value: 'x': supported values: 'Cluster', 'Namespaced'"},
    {"nover",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[]}}",
     "Invalid spec.versions: Invalid value: []: must have exactly one version marked as storage "
     "version\n"
     "Invalid status.storedVersions: Invalid value: null: must have at least one stored version"},
    {"nostor",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':false,'schema':{"
     "'openAPIV3Schema':{'type':'object'}}}]}}",
     "Invalid spec.versions: Invalid value: "
     "[{'Name':'v1','Served':true,'Storage':false,'Deprecated':false,'DeprecationWarning':null,'"
     "Schema':null,'Subresources':null,'AdditionalPrinterColumns':null,'SelectableFields':null}]: "
     "must have exactly one version marked as storage version\n"
     "Invalid status.storedVersions: Invalid value: null: must have at least one stored version"},
    {"noschema",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true}]}}",
     "Required spec.versions[0].schema.openAPIV3Schema: Required value"},
    {"vname",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'1V','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}]}}",
     "Invalid spec.version: Invalid value: '1V': a DNS-1035 label must consist of lower case "
     "alphanumeric characters or '-', start with an alphabetic character, and end with an "
     "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
     "'[a-z]([-a-z0-9]*[a-z0-9])?')\n"
     "Invalid spec.versions[0].name: Invalid value: '1V': a DNS-1035 label must consist of lower "
     "case alphanumeric characters or '-', start with an alphabetic character, and end with an "
     "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
     "'[a-z]([-a-z0-9]*[a-z0-9])?')"},
    {"dup",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}},{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}]}}",
     "Invalid spec.versions: Invalid value: "
     "[{'Name':'v1','Served':true,'Storage':true,'Deprecated':false,'DeprecationWarning':null,'"
     "Schema':null,'Subresources':null,'AdditionalPrinterColumns':null,'SelectableFields':null},{'"
     "Name':'v1','Served':true,'Storage':true,'Deprecated':false,'DeprecationWarning':null,'Schema'"
     ":null,'Subresources':null,'AdditionalPrinterColumns':null,'SelectableFields':null}]: must "
     "contain unique version names\n"
     "Invalid spec.versions: Invalid value: "
     "[{'Name':'v1','Served':true,'Storage':true,'Deprecated':false,'DeprecationWarning':null,'"
     "Schema':null,'Subresources':null,'AdditionalPrinterColumns':null,'SelectableFields':null},{'"
     "Name':'v1','Served':true,'Storage':true,'Deprecated':false,'DeprecationWarning':null,'Schema'"
     ":null,'Subresources':null,'AdditionalPrinterColumns':null,'SelectableFields':null}]: must "
     "have exactly one version marked as storage version\n"
     "Invalid status.storedVersions: Invalid value: ['v1']: must have the storage version v1"},
    {"names",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{},'"
     "versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'"
     "object'}}}]}}",
     "Invalid metadata.name: Invalid value: 'bad.ex.com': must be "
     "spec.names.plural+'.'+spec.group\n"
     "Required spec.names.kind: Required value\n"
     "Required spec.names.listKind: Required value\n"
     "Required spec.names.plural: Required value\n"
     "Required spec.names.singular: Required value"},
    {"names2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad_','singular':'B','shortNames':['A'],'categories':['A'],'listKind':'"
     "Bad_'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'"
     "type':'object'}}}]}}",
     "Invalid spec.names.categories[0]: Invalid value: 'A': a DNS-1035 label must consist of lower "
     "case alphanumeric characters or '-', start with an alphabetic character, and end with an "
     "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
     "'[a-z]([-a-z0-9]*[a-z0-9])?')\n"
     "Invalid spec.names.kind: Invalid value: 'Bad_': may have mixed case, but should otherwise "
     "match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start "
     "with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or "
     "'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n"
     "Invalid spec.names.listKind: Invalid value: 'Bad_': kind and listKind may not be the same\n"
     "Invalid spec.names.listKind: Invalid value: 'Bad_': may have mixed case, but should "
     "otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
     "start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  "
     "or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n"
     "Invalid spec.names.shortNames[0]: Invalid value: 'A': a DNS-1035 label must consist of lower "
     "case alphanumeric characters or '-', start with an alphabetic character, and end with an "
     "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
     "'[a-z]([-a-z0-9]*[a-z0-9])?')\n"
     "Invalid spec.names.singular: Invalid value: 'B': a DNS-1035 label must consist of lower case "
     "alphanumeric characters or '-', start with an alphabetic character, and end with an "
     "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
     "'[a-z]([-a-z0-9]*[a-z0-9])?')"},
    {"kindlist",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad','listKind':'Bad'},'versions':[{'name':'v1','served':true,'storage'"
     ":true,'schema':{'openAPIV3Schema':{'type':'object'}}}]}}",
     "Invalid spec.names.listKind: Invalid value: 'Bad': kind and listKind may not be the same"},
    {"approved2",
     "{'metadata':{'name':'bad.ex.k8s.io','annotations':{'api-approved.kubernetes.io':'foo'}},'"
     "spec':{'group':'ex.k8s.io','scope':'Cluster','names':{'plural':'bad','kind':'Bad'},'versions'"
     ":[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object'}}}]}"
     "}",
     "Invalid metadata.annotations[api-approved.kubernetes.io]: Invalid value: 'foo': protected "
     "groups must have approval annotation 'api-approved.kubernetes.io' with either a URL or a "
     "reason starting with 'unapproved', see https://github.com/kubernetes/enhancements/pull/1111"},
    {"approved3",
     "{'metadata':{'name':'bad.ex.k8s.io'},'spec':{'group':'ex.k8s.io','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}]}}",
     "Required metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups "
     "must have approval annotation 'api-approved.kubernetes.io', see "
     "https://github.com/kubernetes/enhancements/pull/1111"},
    {"preserve",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}],'preserveUnknownFields':true}}",
     "Invalid spec.preserveUnknownFields: Invalid value: true: cannot set to true, set "
     "x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"},
    {"depr",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}},'deprecationWarning':'x'}]}}",
     "Invalid spec.versions[0].deprecationWarning: Invalid value: 'x': can only be set for "
     "deprecated versions"},
    {"depr2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}},'deprecated':true,'deprecationWarning':''}]}}",
     "Invalid spec.versions[0].deprecationWarning: Invalid value: '': must not be an empty string"},
    {"conv",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}],'conversion':{'strategy':'X'}}}",
     "NotSupported spec.conversion.strategy: Unsupported value: 'X': supported values: 'None', "
     "'Webhook'"},
    {"conv2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}],'conversion':{'strategy':'Webhook'}}}",
     "Required spec.conversion.conversionReviewVersions: Required value\n"
     "Required spec.conversion.webhookClientConfig: Required value: required when strategy is set "
     "to Webhook"},
    {"conv3",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}],'conversion':{'strategy':'Webhook','webhook':{'"
     "conversionReviewVersions':['x'],'clientConfig':{}}}}}",
     "Invalid spec.conversion.conversionReviewVersions: Invalid value: ['x']: must include at "
     "least one of v1, v1beta1\n"
     "Required spec.conversion.webhookClientConfig: Required value: exactly one of url or service "
     "is required"},
    {"conv4",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}],'conversion':{'strategy':'None','webhook':{'"
     "conversionReviewVersions':['v1'],'clientConfig':{'url':'http://x'}}}}}",
     "Forbidden spec.conversion.conversionReviewVersions: Forbidden: should not be set when "
     "strategy is not set to Webhook\n"
     "Forbidden spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is "
     "not set to Webhook"},
    {"conv5",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}],'conversion':{'strategy':'Webhook','webhook':{'"
     "conversionReviewVersions':['v1'],'clientConfig':{'url':'http://x'}}}}}",
     "Invalid spec.conversion.webhookClientConfig.url: Invalid value: 'http': 'https' is the only "
     "allowed URL scheme; desired format: https://host[/path]"},
    {"conv6",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}],'conversion':{'strategy':'Webhook','webhook':{'"
     "conversionReviewVersions':['v1'],'clientConfig':{'service':{'name':'a'}}}}}}",
     "Required spec.conversion.webhookClientConfig.service.name: Required value"},
    {"conv7",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}}}],'conversion':{'strategy':'Webhook','webhook':{'"
     "conversionReviewVersions':['v1'],'clientConfig':{'service':{'name':'a','namespace':'b','port'"
     ":70000,'path':'x'}}}}}}",
     "Invalid spec.conversion.webhookClientConfig.service.path: Invalid value: 'x': must start "
     "with a '/'\n"
     "Invalid spec.conversion.webhookClientConfig.service.path: Invalid value: 'x': segment[0] may "
     "not be empty\n"
     "Invalid spec.conversion.webhookClientConfig.service.port: Invalid value: 70000: port is not "
     "valid: must be between 1 and 65535, inclusive"},
    {"col",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}},'additionalPrinterColumns':[{'name':'','type':'x','"
     "format':'y','jsonPath':'a'},{'name':'a','type':'','jsonPath':''}]}]}}",
     "Invalid spec.additionalPrinterColumns[0].JSONPath: Invalid value: 'a': must be a simple json "
     "path starting with .\n"
     "Invalid spec.additionalPrinterColumns[0].format: Invalid value: 'y': must be one of "
     "byte,date,date-time,double,float,int32,int64,password\n"
     "Invalid spec.additionalPrinterColumns[0].type: Invalid value: 'x': must be one of "
     "boolean,date,integer,number,string\n"
     "Required spec.additionalPrinterColumns[0].name: Required value\n"
     "Required spec.additionalPrinterColumns[1].JSONPath: Required value\n"
     "Required spec.additionalPrinterColumns[1].type: Required value: must be one of "
     "boolean,date,integer,number,string"},
    {"sub",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}},'subresources':{'scale':{'specReplicasPath':'','"
     "statusReplicasPath':'a'}}}]}}",
     "Invalid spec.subresources.scale.statusReplicasPath: Invalid value: 'a': must be a simple "
     "json path starting with .\n"
     "Required spec.subresources.scale.specReplicasPath: Required value"},
    {"sub2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object'}},'subresources':{'scale':{'specReplicasPath':'.a','"
     "statusReplicasPath':'.spec.a','labelSelectorPath':'.b'}}}]}}",
     "Invalid spec.subresources.scale.labelSelectorPath: Invalid value: '.b': should be a json "
     "path under either .spec or .status\n"
     "Invalid spec.subresources.scale.specReplicasPath: Invalid value: '.a': should be a json path "
     "under .spec\n"
     "Invalid spec.subresources.scale.statusReplicasPath: Invalid value: '.spec.a': should be a "
     "json path under .status"},
    {"sel",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object','properties':{'b':{'"
     "type':'string'},'o':{'type':'object'},'l':{'type':'array','items':{'type':'string'}}}}}}},'"
     "selectableFields':[{'jsonPath':''},{'jsonPath':'.a'},{'jsonPath':'.spec.a'},{'jsonPath':'"
     "spec.b'},{'jsonPath':'.metadata.name'},{'jsonPath':'.spec.o'},{'jsonPath':'.spec.b'},{'"
     "jsonPath':'.spec.b'},{'jsonPath':'.spec.l[0]'}]}]}}",
     "Duplicate spec.selectableFields[7].jsonPath: Duplicate value: '.spec.b'\n"
     "Invalid spec.selectableFields[1].jsonPath: Invalid value: '.a': is an invalid path: does not "
     "refer to a valid field\n"
     "Invalid spec.selectableFields[2].jsonPath: Invalid value: '.spec.a': is an invalid path: "
     "does not refer to a valid field\n"
     "Invalid spec.selectableFields[3].jsonPath: Invalid value: 'spec.b': is an invalid path: "
     "expected [ or . but got: spec\n"
     "Invalid spec.selectableFields[4].jsonPath: Invalid value: '.metadata.name': is an invalid "
     "path: does not refer to a valid field\n"
     "Invalid spec.selectableFields[5].jsonPath: Invalid value: '.spec.o': must point to a field "
     "of type string, boolean or integer. Enum string fields and strings with formats are "
     "allowed.\n"
     "Invalid spec.selectableFields[8].jsonPath: Invalid value: '.spec.l[0]': is an invalid path: "
     "array notation is not allowed\n"
     "Required spec.selectableFields[0].jsonPath: Required value"},
    {"notype",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{}}}]}}",
     "Required spec.validation.openAPIV3Schema.type: Required value: must not be empty at the "
     "root"},
    {"roottype",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'string'}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.type: Invalid value: 'string': must be object at the "
     "root"},
    {"fieldtype",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{}}}}}]}}",
     "Required spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be "
     "empty for specified object fields"},
    {"badtype",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'foo'}}}}}]}}",
     "NotSupported spec.validation.openAPIV3Schema.properties[a].type: Unsupported value: 'foo': "
     "supported values: 'array', 'boolean', 'integer', 'number', 'object', 'string'"},
    {"null",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'null'}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].type: Forbidden: type cannot be set "
     "to null, use nullable as an alternative\n"
     "NotSupported spec.validation.openAPIV3Schema.properties[a].type: Unsupported value: 'null': "
     "supported values: 'array', 'boolean', 'integer', 'number', 'object', 'string'"},
    {"arr",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array'}}}}}]}}",
     "Required spec.validation.openAPIV3Schema.properties[a].items: Required value: must be "
     "specified"},
    {"arr2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{}}}}}}]}}",
     "Required spec.validation.openAPIV3Schema.properties[a].items.type: Required value: must not "
     "be empty for specified array items"},
    {"arr3",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':[{'type':'string'"
     "}]}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].items: Forbidden: items must be a "
     "schema object and not an array"},
    {"rootaddl",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','additionalProperties':{'type':'string'}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.additionalProperties: Forbidden: must not be used "
     "at the root"},
    {"both",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'object','properties':{'b':{'"
     "type':'string'}},'additionalProperties':{'type':'string'}}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].additionalProperties: Forbidden: "
     "additionalProperties and properties are mutual exclusive"},
    {"addlfalse",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'object','additionalProperties':"
     "false}}}}}]}}",
     ""},
    {"meta",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'metadata':{'type':'object','properties':{'"
     "name':{'type':'string','pattern':'^a'}}}}}}}]}}",
     ""},
    {"meta2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'metadata':{'type':'object','properties':{'"
     "labels':{'type':'object'}}}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify "
     "anything other than name and generateName, but metadata is implicitly specified"},
    {"meta3",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'metadata':{'type':'string'}}}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.properties[metadata].type: Invalid value: 'string': "
     "must be object"},
    {"meta4",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'metadata':{'type':'object','description':'x'"
     "}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify "
     "anything other than name and generateName, but metadata is implicitly specified"},
    {"kind",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'kind':{'type':'integer'},'apiVersion':{'"
     "type':'integer'}}}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.properties[apiVersion].type: Invalid value: "
     "'integer': must be string\n"
     "Invalid spec.validation.openAPIV3Schema.properties[kind].type: Invalid value: 'integer': "
     "must be string"},
    {"nested",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'object','properties':{'b':{'"
     "type':'string'}},'anyOf':[{'type':'object','description':'x','title':'t','default':{},'"
     "nullable':true,'properties':{'c':{'type':'string'}},'additionalProperties':{'type':'string'},"
     "'x-kubernetes-preserve-unknown-fields':true,'x-kubernetes-int-or-string':true,'x-kubernetes-"
     "list-type':'map','x-kubernetes-list-map-keys':['a'],'x-kubernetes-map-type':'atomic','x-"
     "kubernetes-embedded-resource':true}]}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].additionalProperties: "
     "Forbidden: additionalProperties and properties are mutual exclusive\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].additionalProperties: "
     "Forbidden: must be undefined to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].default: Forbidden: must be "
     "undefined to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].description: Forbidden: "
     "must be empty to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].nullable: Forbidden: must "
     "be false to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].properties[c].type: "
     "Forbidden: must be empty to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].title: Forbidden: must be "
     "empty to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].type: Forbidden: must be "
     "empty to be structural\n"
     "Forbidden "
     "spec.validation.openAPIV3Schema.properties[a].anyOf[0].x-kubernetes-embedded-resource: "
     "Forbidden: must be false to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].x-kubernetes-int-or-string: "
     "Forbidden: must be false to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].x-kubernetes-list-map-keys: "
     "Forbidden: must be empty to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].x-kubernetes-list-type: "
     "Forbidden: must be undefined to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].x-kubernetes-map-type: "
     "Forbidden: must be undefined to be structural\n"
     "Forbidden "
     "spec.validation.openAPIV3Schema.properties[a].anyOf[0].x-kubernetes-preserve-unknown-fields: "
     "Forbidden: must be false to be structural\n"
     "Invalid spec.validation.openAPIV3Schema.properties[a].anyOf[0].type: Invalid value: "
     "'object': must be array if x-kubernetes-list-type is specified\n"
     "Required spec.validation.openAPIV3Schema.properties[a].anyOf[0].items: Required value: must "
     "have a schema if x-kubernetes-list-type is map"},
    {"nested2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'object','not':{'properties':{'"
     "metadata':{'minLength':1}},'items':{'minLength':1}}}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].not.properties[metadata]: Forbidden: "
     "must not be specified in a nested context"},
    {"complete",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'object','properties':{'b':{'"
     "type':'string'}},'allOf':[{'properties':{'x':{'minLength':1},'b':{'not':{'enum':['a']}}},'"
     "required':['x']}]}}}}}]}}",
     ""},
    {"ios",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'x-kubernetes-int-or-string':true,'"
     "anyOf':[{'type':'integer'},{'type':'string'}]}}}}}]}}",
     ""},
    {"ios2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'x-kubernetes-int-or-string':true,'x-"
     "kubernetes-preserve-unknown-fields':true,'x-kubernetes-embedded-resource':true}}}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.properties[a].x-kubernetes-embedded-resource: "
     "Invalid value: true: must be false if x-kubernetes-int-or-string is true\n"
     "Invalid spec.validation.openAPIV3Schema.properties[a].x-kubernetes-preserve-unknown-fields: "
     "Invalid value: true: must be false if x-kubernetes-int-or-string is true\n"
     "Required spec.validation.openAPIV3Schema.properties[a].type: Required value: must be object "
     "if x-kubernetes-embedded-resource is true"},
    {"ios3",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'x-kubernetes-int-or-string':true,'"
     "allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]},{'pattern':'^a'}]}}}}}]}}",
     ""},
    {"ios4",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'anyOf':[{'type':'string'},{'type':'"
     "integer'}]}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[0].type: Forbidden: must be "
     "empty to be structural\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].anyOf[1].type: Forbidden: must be "
     "empty to be structural\n"
     "Required spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be "
     "empty for specified object fields"},
    {"emb",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'x-kubernetes-embedded-resource':true}}}"
     "}}]}}",
     "Required spec.validation.openAPIV3Schema.properties[a].properties: Required value: must not "
     "be empty if x-kubernetes-embedded-resource is true without "
     "x-kubernetes-preserve-unknown-fields\n"
     "Required spec.validation.openAPIV3Schema.properties[a].type: Required value: must be object "
     "if x-kubernetes-embedded-resource is true"},
    {"emb2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'object','x-kubernetes-embedded-"
     "resource':true}}}}}]}}",
     "Required spec.validation.openAPIV3Schema.properties[a].properties: Required value: must not "
     "be empty if x-kubernetes-embedded-resource is true without "
     "x-kubernetes-preserve-unknown-fields"},
    {"emb3",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'object','x-kubernetes-embedded-"
     "resource':true,'x-kubernetes-preserve-unknown-fields':true,'additionalProperties':{'type':'"
     "string'}}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].additionalProperties: Forbidden: "
     "must not be used if x-kubernetes-embedded-resource is set"},
    {"pres",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'object','x-kubernetes-preserve-"
     "unknown-fields':false}}}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.properties[a].x-kubernetes-preserve-unknown-fields: "
     "Invalid value: false: must be true or undefined"},
    {"pattern",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'string','pattern':'[a'},'b':{'"
     "type':'string','pattern':'(a'},'c':{'type':'string','pattern':'a)'},'d':{'type':'string','"
     "pattern':'*'},'e':{'type':'string','pattern':'(?=a)'},'f':{'type':'string','pattern':'(a)"
     "\\\\1'},'g':{'type':'string','pattern':'a{2000}'},'h':{'type':'string','pattern':'[z-a]'},'i'"
     ":{'type':'string','pattern':'a**'},'j':{'type':'string','pattern':'(?<!a)b'},'k':{'type':'"
     "string','pattern':'\\\\'}}}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.properties[a].pattern: Invalid value: '[a': must be "
     "a valid regular expression, but isn't: error parsing regexp: missing closing ]: `[a`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[b].pattern: Invalid value: '(a': must be "
     "a valid regular expression, but isn't: error parsing regexp: missing closing ): `(a`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[c].pattern: Invalid value: 'a)': must be "
     "a valid regular expression, but isn't: error parsing regexp: unexpected ): `a)`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[d].pattern: Invalid value: '*': must be a "
     "valid regular expression, but isn't: error parsing regexp: missing argument to repetition "
     "operator: `*`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[e].pattern: Invalid value: '(?=a)': must "
     "be a valid regular expression, but isn't: error parsing regexp: invalid or unsupported Perl "
     "syntax: `(?=`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[f].pattern: Invalid value: '(a)\\\\1': "
     "must be a valid regular expression, but isn't: error parsing regexp: invalid escape "
     "sequence: `\\1`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[g].pattern: Invalid value: 'a{2000}': "
     "must be a valid regular expression, but isn't: error parsing regexp: invalid repeat count: "
     "`{2000}`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[h].pattern: Invalid value: '[z-a]': must "
     "be a valid regular expression, but isn't: error parsing regexp: invalid character class "
     "range: `z-a`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[i].pattern: Invalid value: 'a**': must be "
     "a valid regular expression, but isn't: error parsing regexp: invalid nested repetition "
     "operator: `**`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[j].pattern: Invalid value: '(?<!a)b': "
     "must be a valid regular expression, but isn't: error parsing regexp: invalid named capture: "
     "`(?<!a)b`\n"
     "Invalid spec.validation.openAPIV3Schema.properties[k].pattern: Invalid value: '\\\\': must "
     "be a valid regular expression, but isn't: error parsing regexp: trailing backslash at end of "
     "expression: ``"},
    {"unique",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{'type':'string'}"
     ",'uniqueItems':true}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].uniqueItems: Forbidden: uniqueItems "
     "cannot be set to true since the runtime complexity becomes quadratic"},
    {"unsup",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'object','patternProperties':{'a'"
     ":{'type':'string'}},'definitions':{'a':{'type':'string'}},'dependencies':{'a':['b']},'id':'x'"
     ",'$ref':'#/a'}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].$ref: Forbidden: $ref is not "
     "supported\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].definitions: Forbidden: definitions "
     "is not supported\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].dependencies: Forbidden: "
     "dependencies is not supported\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].id: Forbidden: id is not supported\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].patternProperties: Forbidden: "
     "patternProperties is not supported"},
    {"addit",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{'type':'string'}"
     ",'additionalItems':true}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].additionalItems: Forbidden: "
     "additionalItems is not supported"},
    {"lt1",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'string','x-kubernetes-list-type'"
     ":'map','x-kubernetes-map-type':'atomic'}}}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.properties[a].type: Invalid value: 'string': must be "
     "array if x-kubernetes-list-type is specified\n"
     "Invalid spec.validation.openAPIV3Schema.properties[a].type: Invalid value: 'string': must be "
     "object if x-kubernetes-map-type is specified\n"
     "Required spec.validation.openAPIV3Schema.properties[a].items: Required value: must have a "
     "schema if x-kubernetes-list-type is map\n"
     "Required spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-map-keys: Required "
     "value: must not be empty if x-kubernetes-list-type is map"},
    {"lt2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{'type':'string'}"
     ",'x-kubernetes-list-type':'map'}}}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.properties[a].items.type: Invalid value: 'string': "
     "must be object if parent array's x-kubernetes-list-type is map\n"
     "Required spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-map-keys: Required "
     "value: must not be empty if x-kubernetes-list-type is map"},
    {"lt3",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{'type':'object',"
     "'properties':{'k':{'type':'string'}}},'x-kubernetes-list-type':'map','x-kubernetes-list-map-"
     "keys':['k']}}}}}]}}",
     "Required spec.validation.openAPIV3Schema.properties[a].items.properties[k].default: Required "
     "value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a "
     "required property"},
    {"lt4",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{'type':'object',"
     "'required':['k','o'],'properties':{'k':{'type':'string','nullable':true},'o':{'type':'object'"
     "}},'nullable':true},'x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k','k','o',"
     "'x']}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[a].items.nullable: Forbidden: cannot be "
     "nullable when x-kubernetes-list-type is map\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].items.properties[k].nullable: "
     "Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[a].items.properties[k].nullable: "
     "Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable\n"
     "Invalid spec.validation.openAPIV3Schema.properties[a].items.properties[o].type: Invalid "
     "value: 'object': must be a scalar type if parent array's x-kubernetes-list-type is map\n"
     "Invalid spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-map-keys: Invalid "
     "value: ['k','k','o','x']: entries must all be names of item properties\n"
     "Invalid spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-map-keys: Invalid "
     "value: ['k','k','o','x']: must not contain duplicate entries"},
    {"lt5",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{'type':'object',"
     "'properties':{'k':{'type':'string'}}},'x-kubernetes-list-map-keys':['k']}}}}}]}}",
     "Required spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-type: Required "
     "value: must be map if x-kubernetes-list-map-keys is non-empty"},
    {"lt6",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{'type':'object'}"
     ",'x-kubernetes-list-type':'set'},'b':{'type':'array','items':{'type':'array','items':{'type':"
     "'string'},'x-kubernetes-list-type':'set'},'x-kubernetes-list-type':'set'},'c':{'type':'array'"
     ",'items':{'type':'string','nullable':true},'x-kubernetes-list-type':'set'}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[c].items.nullable: Forbidden: cannot be "
     "nullable when x-kubernetes-list-type is set\n"
     "Invalid spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-map-type: Invalid "
     "value: null: must be atomic as item of a list with x-kubernetes-list-type=set\n"
     "Invalid spec.validation.openAPIV3Schema.properties[b].items.x-kubernetes-list-type: Invalid "
     "value: 'set': must be atomic as item of a list with x-kubernetes-list-type=set"},
    {"lt7",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{'type':'string'}"
     ",'x-kubernetes-list-type':'foo'},'b':{'type':'object','x-kubernetes-map-type':'foo'}}}}}]}}",
     "NotSupported spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-type: "
     "Unsupported value: 'foo': supported values: 'atomic', 'set', 'map'\n"
     "NotSupported spec.validation.openAPIV3Schema.properties[b].x-kubernetes-map-type: "
     "Unsupported value: 'foo': supported values: 'atomic', 'granular'"},
    {"lt8",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'array','items':{'type':'object',"
     "'properties':{'k':{'type':'string'}}},'x-kubernetes-list-type':'set','x-kubernetes-list-map-"
     "keys':['k']}}}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.properties[a].items.x-kubernetes-map-type: Invalid "
     "value: null: must be atomic as item of a list with x-kubernetes-list-type=set\n"
     "Invalid spec.validation.openAPIV3Schema.properties[a].x-kubernetes-list-type: Invalid value: "
     "'set': must be map if x-kubernetes-list-map-keys is non-empty"},
    {"default",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'integer','default':'x'},'b':{'"
     "type':'object','default':{'c':1}},'c':{'type':'string','default':'a','minLength':3},'d':{'"
     "type':'object','properties':{'e':{'type':'string'}},'required':['e'],'default':{}},'f':{'"
     "type':'array','items':{'type':'string','default':5}}}}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.properties[b].default: Invalid value: {'c':1}: must "
     "not have unknown fields\n"
     "Invalid spec.validation.openAPIV3Schema.properties[c].default: Invalid value: 'a':  in body "
     "should be at least 3 chars long\n"
     "Required spec.validation.openAPIV3Schema.properties[d].default.e: Required value\n"
     "TypeInvalid spec.validation.openAPIV3Schema.properties[a].default: Invalid value: 'string':  "
     "in body must be of type integer: 'string'\n"
     "TypeInvalid spec.validation.openAPIV3Schema.properties[f].items.default: Invalid value: "
     "'integer':  in body must be of type string: 'integer'"},
    {"defmeta",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'metadata':{'type':'object','default':{}},'"
     "kind':{'type':'string','default':'x'}}}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.properties[kind].default: Forbidden: must not be "
     "set in top-level kind\n"
     "Forbidden spec.validation.openAPIV3Schema.properties[metadata].default: Forbidden: must not "
     "be set in top-level metadata"},
    {"rootnull",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','nullable':true}}}]}}",
     "Forbidden spec.validation.openAPIV3Schema.nullable: Forbidden: nullable cannot be true at "
     "the root"},
    {"status2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'string'}},'subresources':{'status':{}}}]}}",
     "Invalid spec.validation.openAPIV3Schema.type: Invalid value: 'string': must be object at the "
     "root\n"
     "Invalid spec.validation.openAPIV3Schema.type: Invalid value: 'string': only 'object' is "
     "allowed as the type at the root of the schema if the status subresource is enabled"},
    {"cel2",
     "{'metadata':{'name':'bad.ex.com'},'spec':{'group':'ex.com','scope':'Cluster','names':{'"
     "plural':'bad','kind':'Bad'},'versions':[{'name':'v1','served':true,'storage':true,'schema':{'"
     "openAPIV3Schema':{'type':'object','properties':{'a':{'type':'integer','x-kubernetes-"
     "validations':[{'rule':'','message':''}]}}}}}]}}",
     "Required spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[0].rule: "
     "Required value: rule is not specified"},
};

#endif /* TESTS_CRD_CASES_H */
