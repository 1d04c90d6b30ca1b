#ifndef NEWSD_CSPAWN_SHIM_H
#define NEWSD_CSPAWN_SHIM_H

// Starts a program like posix_spawnp, with two additions: the program inherits only descriptors 0, 1 and 2, and it is
// killed when the thread that started it ends, for example when newsd gets SIGKILL.

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

// execvpe is a GNU extension: execvp with an environment.
extern int execvpe(const char *file, char *const words[], char *const variables[]);

// Between vfork and exec the child shares this process's memory: it calls only functions that take no lock and
// allocate no memory, and of the parent's variables it writes only `failure`.
//
// `descriptors` become the child's 0, 1 and 2. Each is 3 or higher, or -1 to inherit the parent's. Returns an errno
// value.
__attribute__((noinline, unused)) static int newsd_spawn(pid_t *pid, char *const words[], char *const variables[],
                                                         const int descriptors[3]) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t parent = getpid();
  volatile int failure = 0;
  const pid_t child = vfork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    setpgid(0, 0);
    // Reset handlers, which must not run in the child, and signals that newsd ignores but programs rely on.
    for (int number = 1; number < 65; number++) {
      struct sigaction action;
      if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_DFL) continue;
      if (action.sa_handler == SIG_IGN && number != SIGPIPE && number != SIGINT && number != SIGTERM &&
          number != SIGHUP && number != SIGUSR1)
        continue;
      action.sa_handler = SIG_DFL;
      action.sa_flags = 0;
      sigaction(number, &action, NULL);
    }
    for (int number = 0; number < 3; number++) {
      if (descriptors[number] >= 0 && dup2(descriptors[number], number) < 0) {
        failure = errno;
        _exit(127);
      }
    }
    // close_range needs Linux 5.9; older kernels close one by one.
    if (syscall(SYS_close_range, 3, ~0U, 0) != 0) {
      const long most = sysconf(_SC_OPEN_MAX);
      for (int number = 3; number < (most > 0 ? most : 65536); number++) close(number);
    }
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    execvpe(words[0], words, variables);
    failure = errno;
    _exit(127);
  }
  const int error = child < 0 ? errno : failure;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child > 0 && error) waitpid(child, NULL, 0);
  *pid = child;
  return error;
}

// The process groups of running programs; 0 marks a free entry. A signal handler reads the table, so its size is
// fixed and its entries are atomic.
#define NEWSD_MOST_GROUPS 1024
__attribute__((unused)) static pid_t *newsd_groups(void) {
  // The table is a local variable, because Swift emits no global variables of a header.
  static pid_t groups[NEWSD_MOST_GROUPS];
  return groups;
}

__attribute__((unused)) static void newsd_end_groups(int number) {
  for (int place = 0; place < NEWSD_MOST_GROUPS; place++) {
    const pid_t group = __atomic_load_n(&newsd_groups()[place], __ATOMIC_ACQUIRE);
    if (group > 1) kill(-group, SIGKILL);
  }
  // SA_RESETHAND has restored the default action, which ends this process.
  raise(number);
}

// Registers a program's process group. For each of SIGTERM, SIGINT and SIGHUP with the default action, installs a
// handler that kills all registered groups and then this process. Signals that the process handles itself are left
// alone: the daemon, for example, ends its programs itself.
__attribute__((unused)) static void newsd_hold_group(pid_t group) {
  for (int place = 0; place < NEWSD_MOST_GROUPS; place++) {
    pid_t none = 0;
    if (__atomic_compare_exchange_n(&newsd_groups()[place], &none, group, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) break;
  }
  const int numbers[3] = {SIGTERM, SIGINT, SIGHUP};
  for (int index = 0; index < 3; index++) {
    struct sigaction action;
    if (sigaction(numbers[index], NULL, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    sigemptyset(&action.sa_mask);
    action.sa_handler = newsd_end_groups;
    action.sa_flags = SA_RESETHAND | SA_NODEFER;
    sigaction(numbers[index], &action, NULL);
  }
}

__attribute__((unused)) static void newsd_release_group(pid_t group) {
  for (int place = 0; place < NEWSD_MOST_GROUPS; place++) {
    pid_t held = group;
    if (__atomic_compare_exchange_n(&newsd_groups()[place], &held, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) break;
  }
}

#endif
