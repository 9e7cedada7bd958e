// SPDX-License-Identifier: GPL-2.0
/*
 * What a line follows over time: a trace of rates, of delays or of delivery
 * opportunities. A point is a time and a value, which holds until the next
 * point; of opportunities it is how many there are at that time. The trace
 * begins with the recording, at a place of its own, and starts again at its end
 * or keeps its last value. It is asked at times that never go back.
 *
 * Written to /proc/goodput/course: a head, then its points.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "goodput.h"

#define COURSE_MAX	(256 << 20)	/* bytes */

struct point {
	u64 at;	/* ns */
	u64 value;	/* bit/s, ns, or opportunities */
} __packed;

struct course {
	u64 period;	/* ns; 0: the last value is kept */
	u64 offset;	/* of the time at which the recording begins */
	u64 lap;	/* when its points began again */
	u64 value;	/* of the last point that has come */
	u64 count;
	u64 next;
	struct point points[];
};

/* Whether the recording has begun. */
bool is_due(u64 t)
{
	return origin && t >= origin;
}

static u64 place(const struct course *course, u64 t)
{
	return course->offset + (is_due(t) ? t - origin : 0);
}

static u64 next_at(const struct course *course)
{
	return course->next < course->count ? course->lap + course->points[course->next].at : U64_MAX;
}

static void step(struct course *course)
{
	course->value = course->points[course->next++].value;
	if (course->next == course->count && course->period) {
		course->next = 0;
		course->lap += course->period;
	}
}

/* The value at a time, and until when it holds. */
u64 follow(struct course *course, u64 t, u64 *until)
{
	u64 now = place(course, t);

	while (next_at(course) <= now)
		step(course);
	*until = next_at(course) == U64_MAX ? U64_MAX : t + (next_at(course) - now);
	return course->value;
}

/* The sum of the values of all points until a time. */
u64 skip_points(struct course *course, u64 t)
{
	u64 now = place(course, t), sum = 0;

	while (next_at(course) <= now) {
		step(course);
		sum += course->value;
	}
	return sum;
}

/* The value of the next point, and its time. */
u64 take_point(struct course *course, u64 *t)
{
	*t = origin + next_at(course) - course->offset;
	step(course);
	return course->value;
}

static bool is_sound(const struct course_head *head, size_t length)
{
	return !head->device[IFNAMSIZ - 1] && head->follows <= FOLLOWS_DELAY && head->count &&
	       length == sizeof(*head) + array_size(head->count, sizeof(struct point));
}

/* From a head and its points, or an error. */
struct course *read_course(const char __user *user, size_t length, struct course_head *head)
{
	struct course *course;

	if (length < sizeof(*head) || length > COURSE_MAX || copy_from_user(head, user, sizeof(*head)) ||
	    !is_sound(head, length))
		return ERR_PTR(-EINVAL);
	course = kvzalloc(sizeof(*course) + length - sizeof(*head), GFP_KERNEL);
	if (!course)
		return ERR_PTR(-ENOMEM);
	course->period = head->period;
	course->offset = head->offset;
	course->count = head->count;
	if (copy_from_user(course->points, user + sizeof(*head), length - sizeof(*head))) {
		kvfree(course);
		return ERR_PTR(-EFAULT);
	}
	return course;
}
