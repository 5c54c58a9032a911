// Keeps a program on loopback that would listen on every interface: bind() to the address of
// all interfaces becomes bind() to loopback. The library is preloaded (LD_PRELOAD) into
// solana-test-validator, which has no such option; see pkg/testkit/localnet/agave.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

int bind(int fd, const struct sockaddr *address, socklen_t length) {
  static int (*next)(int, const struct sockaddr *, socklen_t);
  if (!next) next = (int (*)(int, const struct sockaddr *, socklen_t))dlsym(RTLD_NEXT, "bind");
  struct sockaddr_storage copy;
  if (!address || length > sizeof copy) return next(fd, address, length);
  memcpy(&copy, address, length);
  if (copy.ss_family == AF_INET && length >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in *in = (struct sockaddr_in *)&copy;
    if (in->sin_addr.s_addr == htonl(INADDR_ANY)) in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  } else if (copy.ss_family == AF_INET6 && length >= sizeof(struct sockaddr_in6)) {
    struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)&copy;
    if (IN6_IS_ADDR_UNSPECIFIED(&in6->sin6_addr)) in6->sin6_addr = in6addr_loopback;
  }
  return next(fd, (const struct sockaddr *)&copy, length);
}
