/* SPDX-License-Identifier: Apache-2.0 */
/* A program without a manager; test_loads.sh looks at the libraries it loads. */
#include <kube/client.h>

int main(void)
{
    kube_config *config;
    kube_client *client;
    kube_error err;
    if (kube_config_load(NULL, &config, &err))
        return 1;
    if (!kube_client_new(config, NULL, &client, &err))
        kube_client_free(client);
    kube_config_free(config);
    return 0;
}
