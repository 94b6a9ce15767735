import type { WorkoutContent } from '../content-schema.ts'
import { hold, reps } from './lines.ts'

/** Programmes after an injury or an operation. */
export const rehabilitationWorkouts: readonly WorkoutContent[] = [
  {
    slug: 'knee-first-weeks',
    name: 'Knee: first weeks after surgery',
    description:
      'Wakes the thigh up and restores extension in the first weeks after a knee operation. Several short rounds a day; swelling sets the pace.',
    lines: [
      reps('quadriceps-set', 3, 10, 30),
      reps('straight-leg-raise', 3, 8, 45),
      reps('terminal-knee-extension', 3, 12, 45),
      reps('seated-heel-raise', 2, 15, 30),
      hold('calf-stretch-wall', 2, 30),
    ],
  },
  {
    slug: 'knee-strength',
    name: 'Knee: building strength',
    description:
      'For runners’ knee and after the first phase of rehabilitation. Strengthens thigh and hip three times a week with loads that leave no more than mild pain.',
    lines: [
      hold('stationary-bike', 1, 480, 0),
      reps('chair-squat', 3, 12),
      reps('step-up', 3, 10),
      reps('lateral-step-down', 3, 8),
      reps('band-walk', 3, 12),
      hold('wall-squat-hold', 3, 30, 45),
    ],
  },
  {
    slug: 'patellar-tendon-load',
    name: 'Patellar tendon: heavy and slow',
    description:
      'Progressive loading for jumper’s knee. Slow repetitions every other day; increase the load when the tendon is calm the morning after.',
    lines: [
      hold('wall-squat-hold', 5, 45, 120),
      reps('mini-squat-decline', 3, 12, 90),
      reps('leg-press', 4, 8, 120),
      reps('single-leg-heel-raise', 3, 12),
    ],
  },
  {
    slug: 'achilles-load',
    name: 'Achilles tendon: progressive loading',
    description:
      'Twelve weeks of calf strengthening for a sore Achilles tendon. Begin on two legs and move to one leg and added weight as the tendon allows.',
    lines: [
      reps('standing-heel-raise', 3, 15),
      reps('single-leg-heel-raise', 3, 12, 90),
      reps('seated-heel-raise', 3, 15),
      hold('calf-stretch-wall', 2, 30),
      hold('single-leg-stand', 3, 30),
    ],
  },
  {
    slug: 'ankle-sprain',
    name: 'Ankle sprain: back on your feet',
    description:
      'Restores movement, strength and balance after a sprained ankle. Start when you can stand on the foot and go through it once a day.',
    lines: [
      reps('ankle-rock', 2, 12, 30),
      reps('ankle-band-eversion', 3, 15, 45),
      reps('toe-raise', 2, 15, 30),
      reps('standing-heel-raise', 3, 12),
      hold('single-leg-stand', 3, 30),
      hold('balance-board', 3, 40),
    ],
  },
  {
    slug: 'low-back-acute',
    name: 'Low back: the first days',
    description:
      'Gentle movement for an acutely sore back. Nothing in here should increase pain in the leg; repeat it morning and evening.',
    lines: [
      hold('diaphragmatic-breathing', 1, 120, 0),
      reps('pelvic-tilt', 2, 12, 30),
      reps('lumbar-rotation', 2, 10, 30),
      reps('cat-camel', 2, 10, 30),
      reps('prone-press-up', 2, 8, 30),
    ],
  },
  {
    slug: 'low-back-strong',
    name: 'Low back: strong and steady',
    description:
      'Builds a back that copes with lifting. Trunk control first, then hinging under load; three times a week.',
    lines: [
      reps('dead-bug', 3, 10, 45),
      reps('bird-dog', 3, 8, 45),
      hold('side-plank', 3, 25, 45),
      reps('glute-bridge', 3, 12),
      reps('hip-hinge-with-stick', 2, 12, 45),
      reps('romanian-deadlift', 3, 10, 90),
    ],
  },
  {
    slug: 'sciatica-gentle',
    name: 'Leg pain from the back',
    description:
      'Movement that helps an irritated nerve to settle. Stay on the easy side of every exercise and stop whatever makes the leg worse for more than an hour.',
    lines: [
      reps('nerve-glide-sciatic', 2, 12, 30),
      reps('prone-press-up', 3, 8, 30),
      reps('pelvic-tilt', 2, 12, 30),
      hold('piriformis-stretch', 2, 30),
      hold('brisk-walk', 1, 600, 0),
    ],
  },
  {
    slug: 'shoulder-first-weeks',
    name: 'Shoulder: early movement',
    description:
      'Passive and assisted movement for a stiff or newly operated shoulder. Little and often, within the limits that your therapist has set.',
    lines: [
      hold('pendulum', 2, 60),
      reps('table-slide', 3, 10, 30),
      reps('shoulder-flexion-stick', 3, 10, 30),
      reps('grip-squeeze', 2, 12, 30),
    ],
  },
  {
    slug: 'shoulder-cuff',
    name: 'Shoulder: rotator cuff strength',
    description:
      'Strengthens the cuff and the muscles that steer the shoulder blade, for pain when lifting the arm. Every other day with a light band.',
    lines: [
      reps('external-rotation-band', 3, 15, 45),
      reps('internal-rotation-band', 3, 15, 45),
      reps('wall-slide', 3, 10, 45),
      reps('scapular-push-up', 3, 12, 45),
      reps('band-row', 3, 12),
      reps('prone-y-raise', 3, 8),
    ],
  },
  {
    slug: 'tennis-elbow',
    name: 'Tennis elbow',
    description:
      'Slow loading of the forearm for pain on the outer side of the elbow. Daily for eight weeks; mild discomfort while you train is fine.',
    lines: [
      reps('wrist-extension-eccentric', 3, 15),
      reps('grip-squeeze', 3, 12, 45),
      reps('hammer-curl', 3, 12),
      reps('external-rotation-band', 2, 15, 45),
    ],
  },
  {
    slug: 'neck-desk',
    name: 'Neck and shoulders for desk workers',
    description:
      'Ten minutes against a stiff neck and tense shoulders. Can be done beside the desk, best twice in the working day.',
    lines: [
      reps('chin-tuck', 2, 10, 20),
      reps('neck-rotation', 2, 8, 20),
      hold('neck-isometric-side', 3, 5, 20),
      reps('band-pull-apart', 3, 15, 45),
      hold('doorway-chest-stretch', 2, 30),
      reps('open-book', 2, 8, 30),
    ],
  },
  {
    slug: 'hip-osteoarthritis',
    name: 'Hip osteoarthritis: move well',
    description:
      'Strength and range for a worn hip. Two or three times a week; the hip may ache a little but should be calm again the next day.',
    lines: [
      hold('stationary-bike', 1, 600, 0),
      reps('sit-to-stand', 3, 10),
      reps('glute-bridge', 3, 12),
      reps('side-lying-leg-raise', 3, 10, 45),
      reps('standing-hip-flexion', 2, 12, 45),
      hold('hip-flexor-stretch', 2, 30),
    ],
  },
  {
    slug: 'groin-adductor',
    name: 'Groin: adductor programme',
    description:
      'From gentle squeezes to the Copenhagen exercise, for footballers with a sore groin. Move one step on when the present one is free of pain.',
    lines: [
      reps('adductor-squeeze', 5, 10, 30),
      reps('side-lunge', 3, 8),
      reps('copenhagen-adduction', 3, 6, 90),
      hold('adductor-rock-back', 2, 45),
      hold('side-plank', 2, 30),
    ],
  },
]
