# SPDX-License-Identifier: Apache-2.0
# What kubegen writes for each API version: always the same files, so that build files can name them
# without running it. kubegen itself has the list from here, see KubegenEmbed.cmake.
set(KUBEGEN_API_FILES api.h client.h deepcopy.c deepcopy.h informer.c informer.h json.h lister.h
                      register.c register.h CACHE INTERNAL "")
