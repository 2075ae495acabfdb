// cudamigrate declarations: names and types of OpenMP 4.5's routines; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_OMP_H
#define CUDAMIGRATE_DECLARES_OMP_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
typedef struct { void *held; } omp_lock_t;
typedef struct { void *held; int depth; } omp_nest_lock_t;
typedef enum { omp_sched_static = 1, omp_sched_dynamic = 2, omp_sched_guided = 3, omp_sched_auto = 4 } omp_sched_t;
typedef enum {
    omp_proc_bind_false = 0, omp_proc_bind_true = 1, omp_proc_bind_master = 2, omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;
typedef enum { omp_lock_hint_none = 0, omp_lock_hint_uncontended = 1, omp_lock_hint_contended = 2 } omp_lock_hint_t;
double omp_get_wtick(void);
double omp_get_wtime(void);
int omp_get_active_level(void);
int omp_get_ancestor_thread_num(int level);
int omp_get_cancellation(void);
int omp_get_default_device(void);
int omp_get_dynamic(void);
int omp_get_initial_device(void);
int omp_get_level(void);
int omp_get_max_active_levels(void);
int omp_get_max_task_priority(void);
int omp_get_max_threads(void);
int omp_get_nested(void);
int omp_get_num_devices(void);
int omp_get_num_places(void);
int omp_get_num_procs(void);
int omp_get_num_teams(void);
int omp_get_num_threads(void);
int omp_get_place_num(void);
int omp_get_place_num_procs(int place);
int omp_get_team_num(void);
int omp_get_team_size(int level);
int omp_get_thread_limit(void);
int omp_get_thread_num(void);
int omp_in_final(void);
int omp_in_parallel(void);
int omp_is_initial_device(void);
int omp_test_lock(omp_lock_t *lock);
int omp_test_nest_lock(omp_nest_lock_t *lock);
omp_proc_bind_t omp_get_proc_bind(void);
void *omp_target_alloc(size_t size, int device);
void omp_destroy_lock(omp_lock_t *lock);
void omp_destroy_nest_lock(omp_nest_lock_t *lock);
void omp_get_schedule(omp_sched_t *kind, int *chunk);
void omp_init_lock(omp_lock_t *lock);
void omp_init_lock_with_hint(omp_lock_t *lock, omp_lock_hint_t hint);
void omp_init_nest_lock(omp_nest_lock_t *lock);
void omp_set_default_device(int device);
void omp_set_dynamic(int on);
void omp_set_lock(omp_lock_t *lock);
void omp_set_max_active_levels(int levels);
void omp_set_nest_lock(omp_nest_lock_t *lock);
void omp_set_nested(int on);
void omp_set_num_threads(int threads);
void omp_set_schedule(omp_sched_t kind, int chunk);
void omp_target_free(void *memory, int device);
void omp_unset_lock(omp_lock_t *lock);
void omp_unset_nest_lock(omp_nest_lock_t *lock);
#ifdef __cplusplus
}
#endif
#endif
