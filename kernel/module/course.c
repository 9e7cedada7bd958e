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
#include <linux/if.h>
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

/* wire/src/course.rs */
struct head {
	char device[IFNAMSIZ];
	u32 follows;
	u32 keeps;
	u64 period;
	u64 offset;
	u64 count;
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

static int check(const struct head *head, size_t length)
{
	if (head->device[IFNAMSIZ - 1] || head->follows > FOLLOWS_DELAY || !head->count)
		return -EINVAL;
	return length == sizeof(*head) + array_size(head->count, sizeof(struct point)) ? 0 : -EINVAL;
}

ssize_t course_write(struct file *file, const char __user *user, size_t length, loff_t *pos)
{
	struct course *course;
	struct head head;
	int err;

	if (length < sizeof(head) || length > COURSE_MAX || copy_from_user(&head, user, sizeof(head)))
		return -EINVAL;
	err = check(&head, length);
	if (err)
		return err;
	course = kvzalloc(sizeof(*course) + length - sizeof(head), GFP_KERNEL);
	if (!course)
		return -ENOMEM;
	course->period = head.period;
	course->offset = head.offset;
	course->count = head.count;
	err = copy_from_user(course->points, user + sizeof(head), length - sizeof(head)) ? -EFAULT : 0;
	if (!err)
		err = set_course(head.device, course, head.follows, head.keeps);
	if (err)
		kvfree(course);
	return err ?: length;
}
