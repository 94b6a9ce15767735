import type { WorkoutContent } from '../content-schema.ts'
import { hold, reps } from './lines.ts'

/** General training. */
export const trainingWorkouts: readonly WorkoutContent[] = [
  {
    slug: 'full-body-beginner',
    name: 'Full body for beginners',
    description:
      'One round through the whole body with little equipment. Twice a week is enough to notice a difference within a month.',
    lines: [
      hold('marching-on-the-spot', 1, 180, 30),
      reps('bodyweight-squat', 3, 10),
      reps('incline-push-up', 3, 8),
      reps('band-row', 3, 12),
      reps('glute-bridge', 3, 12),
      hold('plank-on-knees', 3, 20, 45),
    ],
  },
  {
    slug: 'full-body-strength',
    name: 'Full body strength',
    description:
      'The large lifts with a barbell for those who know them. Leave two repetitions in reserve in each set and add weight slowly.',
    lines: [
      reps('barbell-back-squat', 4, 6, 150),
      reps('bench-press', 4, 6, 150),
      reps('bent-over-row', 4, 8, 120),
      reps('romanian-deadlift', 3, 8, 120),
      reps('overhead-press', 3, 8, 120),
      hold('front-plank', 3, 45, 60),
    ],
  },
  {
    slug: 'squat-progression',
    name: 'Squat progression',
    description:
      'From the chair to the goblet squat in one session. Stay at the variant that you control well and move on next week.',
    lines: [
      reps('chair-squat', 2, 10, 45),
      reps('bodyweight-squat', 3, 12),
      hold('deep-squat-hold', 3, 30, 45),
      reps('goblet-squat', 3, 10, 90),
      reps('split-squat', 3, 8, 60),
    ],
  },
  {
    slug: 'home-no-equipment',
    name: 'At home without equipment',
    description:
      'Twenty minutes on the living-room floor. Do all exercises one after the other, rest two minutes and go round again.',
    lines: [
      reps('reverse-lunge', 3, 10, 30),
      reps('push-up', 3, 8, 30),
      reps('single-leg-bridge', 3, 8, 30),
      reps('mountain-climber', 3, 20, 30),
      hold('side-plank', 3, 20, 30),
    ],
  },
  {
    slug: 'upper-body-gym',
    name: 'Upper body in the gym',
    description:
      'A balanced session of pushing and pulling on machines and with dumbbells, about forty-five minutes including warm-up.',
    lines: [
      hold('rowing-machine', 1, 300, 60),
      reps('dumbbell-chest-press', 3, 10, 90),
      reps('seated-cable-row', 3, 10, 90),
      reps('dumbbell-shoulder-press', 3, 10, 90),
      reps('lat-pulldown', 3, 10, 90),
      reps('face-pull', 2, 15),
      reps('biceps-curl', 2, 12),
      reps('triceps-pushdown', 2, 12),
    ],
  },
  {
    slug: 'lower-body-gym',
    name: 'Lower body in the gym',
    description:
      'Thighs, hips and calves with machines and free weights. Suited as the second day of a weekly pair.',
    lines: [
      hold('stationary-bike', 1, 300, 60),
      reps('leg-press', 3, 10, 120),
      reps('rear-foot-elevated-split-squat', 3, 8, 90),
      reps('hamstring-curl-lying', 3, 10, 90),
      reps('hip-thrust', 3, 10, 90),
      reps('single-leg-heel-raise', 3, 12),
    ],
  },
  {
    slug: 'runner-strength',
    name: 'Strength for runners',
    description:
      'Strong hips, hamstrings and calves keep runners healthy. Once or twice a week, not on the day before intervals.',
    lines: [
      reps('single-leg-deadlift', 3, 8, 60),
      reps('walking-lunge', 3, 16, 60),
      reps('hamstring-slide', 3, 8, 60),
      reps('single-leg-heel-raise', 3, 15, 60),
      reps('bridge-march', 3, 16, 45),
      hold('side-plank', 2, 40, 30),
    ],
  },
  {
    slug: 'football-prevention',
    name: 'Football: staying uninjured',
    description:
      'Part of the warm-up for football players, twice a week through the season. Reduces injuries of hamstrings, groin and knee.',
    lines: [
      reps('nordic-hamstring', 3, 6, 90),
      reps('copenhagen-adduction', 2, 8, 60),
      reps('jump-squat', 3, 6, 60),
      reps('star-reach', 2, 6, 30),
      reps('side-lunge', 2, 10, 45),
    ],
  },
  {
    slug: 'balance-older-adults',
    name: 'Steady on your feet',
    description:
      'Balance and leg strength for older adults who want to prevent falls. Stand beside a kitchen counter and train on most days.',
    lines: [
      reps('sit-to-stand', 3, 8, 60),
      hold('tandem-stand', 3, 20),
      reps('weight-shift', 2, 10, 20),
      reps('standing-heel-raise', 2, 12, 30),
      reps('tandem-walk', 3, 10, 30),
      hold('marching-on-the-spot', 2, 60, 30),
    ],
  },
  {
    slug: 'interval-four-by-four',
    name: 'Four times four minutes',
    description:
      'Classic interval training that lifts endurance in few weeks. Only for those who have been cleared for hard effort.',
    lines: [
      hold('brisk-walk', 1, 600, 0),
      hold('treadmill-interval', 4, 240, 180),
      hold('brisk-walk', 1, 300, 0),
      hold('calf-stretch-wall', 2, 30, 10),
    ],
  },
  {
    slug: 'circuit-short',
    name: 'Short circuit',
    description:
      'Forty seconds of work and twenty of rest, three times round. A complete session when there is little time.',
    lines: [
      hold('jumping-jack', 3, 40, 20),
      hold('bodyweight-squat', 3, 40, 20),
      hold('push-up', 3, 40, 20),
      hold('mountain-climber', 3, 40, 20),
      hold('reverse-lunge', 3, 40, 20),
      hold('front-plank', 3, 40, 20),
    ],
  },
  {
    slug: 'morning-mobility',
    name: 'Morning mobility',
    description:
      'Ten easy minutes that take the night’s stiffness out of back and hips. Breathe calmly and never force a movement.',
    lines: [
      reps('cat-camel', 1, 10, 10),
      hold('childs-pose', 1, 45, 10),
      reps('open-book', 1, 8, 10),
      hold('hip-flexor-stretch', 2, 30, 10),
      reps('ninety-ninety-switch', 1, 10, 10),
      hold('deep-squat-hold', 1, 45, 10),
    ],
  },
  {
    slug: 'stretch-after-training',
    name: 'Stretching after training',
    description: 'A calm end to any session. Hold each stretch on both sides and let the breath become slow.',
    lines: [
      hold('quadriceps-stretch', 2, 30, 10),
      hold('hamstring-stretch-strap', 2, 30, 10),
      hold('calf-stretch-wall', 2, 30, 10),
      hold('piriformis-stretch', 2, 30, 10),
      hold('doorway-chest-stretch', 2, 30, 10),
    ],
  },
  {
    slug: 'pregnancy-strong',
    name: 'Strong through pregnancy',
    description:
      'Comfortable strength and pelvic control for the second and third trimester. Stop and ask if anything feels wrong.',
    lines: [
      reps('cat-camel', 2, 10, 20),
      reps('chair-squat', 3, 10, 60),
      reps('bird-dog', 3, 8, 45),
      reps('band-row', 3, 12, 60),
      reps('clamshell', 2, 12, 30),
      hold('diaphragmatic-breathing', 1, 180, 0),
    ],
  },
]
