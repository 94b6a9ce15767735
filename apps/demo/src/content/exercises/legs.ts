import type { ExerciseContent } from '../content-schema.ts'

/** Lunges, steps, knees and calves. */
export const legExercises: readonly ExerciseContent[] = [
  {
    slug: 'forward-lunge',
    name: 'Forward lunge',
    muscles: ['quadriceps', 'gluteals'],
    equipment: 'none',
    level: 'medium',
    instruction:
      'Step forward and lower the back knee towards the floor with an upright trunk. Push off the front foot to return to where you started. Take a step long enough that the front heel stays down.',
  },
  {
    slug: 'reverse-lunge',
    name: 'Reverse lunge',
    muscles: ['gluteals', 'quadriceps'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Step straight back with one foot and bend both knees until the back one is just above the floor. Pull yourself forward to standing with the front leg. Most of the weight stays on the front foot throughout.',
  },
  {
    slug: 'side-lunge',
    name: 'Side lunge',
    muscles: ['adductors', 'gluteals', 'quadriceps'],
    equipment: 'none',
    level: 'medium',
    instruction:
      'Take a wide step to the side and sit back over that foot while the other leg stays straight. Keep both feet flat and the toes pointing forward. Push back to the middle in one movement.',
  },
  {
    slug: 'walking-lunge',
    name: 'Walking lunge',
    muscles: ['quadriceps', 'gluteals', 'trunk'],
    equipment: 'none',
    level: 'medium',
    instruction:
      'Lunge forward, and instead of stepping back bring the rear foot through into the next lunge. Walk in a calm rhythm with your eyes ahead. Turn round when you run out of floor.',
  },
  {
    slug: 'step-up',
    name: 'Step-up',
    muscles: ['quadriceps', 'gluteals'],
    equipment: 'step',
    level: 'easy',
    instruction:
      'Put your whole foot on a step and stand up on it without pushing off with the lower leg. Straighten hip and knee completely at the top. Lower yourself again slowly and with control.',
  },
  {
    slug: 'lateral-step-down',
    name: 'Lateral step-down',
    muscles: ['quadriceps', 'hip abductors'],
    equipment: 'step',
    level: 'medium',
    instruction:
      'Stand sideways on the edge of a step with one foot in the air beside it. Bend the standing knee until the free heel taps the floor, then rise. Keep the pelvis level and the knee over the foot.',
  },
  {
    slug: 'straight-leg-raise',
    name: 'Straight leg raise',
    muscles: ['quadriceps', 'hip flexors'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie on your back with one knee bent and the other leg straight. Tighten the thigh, pull the toes towards you and lift the straight leg to the height of the other knee. Lower it without letting the knee bend.',
  },
  {
    slug: 'quadriceps-set',
    name: 'Quadriceps set',
    muscles: ['quadriceps'],
    equipment: 'towel',
    level: 'easy',
    instruction:
      'Sit or lie with a rolled towel under the knee. Press the back of the knee into the towel by tightening the thigh and hold. Relax completely before the next repetition.',
  },
  {
    slug: 'terminal-knee-extension',
    name: 'Terminal knee extension with band',
    muscles: ['quadriceps'],
    equipment: 'resistance band',
    level: 'easy',
    instruction:
      'Loop a band behind the knee and face the anchor point. Let the knee bend a little, then straighten it against the band with the heel on the floor. Hold the straight position for two seconds.',
  },
  {
    slug: 'leg-press',
    name: 'Leg press',
    muscles: ['quadriceps', 'gluteals'],
    equipment: 'leg press machine',
    level: 'medium',
    instruction:
      'Place your feet hip-width apart on the platform with your back flat against the pad. Press until the knees are almost straight, then lower the weight until the hips begin to tuck. Never lock the knees with a jerk.',
  },
  {
    slug: 'seated-knee-extension',
    name: 'Seated knee extension',
    muscles: ['quadriceps'],
    equipment: 'knee extension machine',
    level: 'easy',
    instruction:
      'Sit with the knee joint in line with the machine’s axis. Straighten the knees smoothly, pause for a moment and lower over three seconds. Limit the range to what is free of pain.',
  },
  {
    slug: 'hamstring-curl-lying',
    name: 'Lying hamstring curl',
    muscles: ['hamstrings'],
    equipment: 'leg curl machine',
    level: 'medium',
    instruction:
      'Lie face down with the pad just above the heels. Bend the knees and bring the pad towards the buttocks while the hips stay on the bench. Lower slowly until the legs are nearly straight.',
  },
  {
    slug: 'hamstring-slide',
    name: 'Hamstring slide',
    muscles: ['hamstrings', 'gluteals'],
    equipment: 'sliders',
    level: 'medium',
    instruction:
      'Lie on your back in a bridge with both heels on sliders. Let the heels glide away until the legs are almost straight, keeping the hips up. Pull the heels back in, or only lower if that is too hard.',
  },
  {
    slug: 'nordic-hamstring',
    name: 'Nordic hamstring lower',
    muscles: ['hamstrings'],
    equipment: 'partner or strap',
    level: 'hard',
    instruction:
      'Kneel with your ankles held firmly. Lean forward from the knees with a straight body and resist the fall for as long as you can. Catch yourself with your hands and push back up to the start.',
  },
  {
    slug: 'standing-heel-raise',
    name: 'Standing heel raise',
    muscles: ['calves'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Stand close to a wall with fingertips on it for balance. Rise onto the balls of both feet as high as you can, hold a second and lower slowly. Keep the weight over the big toe.',
  },
  {
    slug: 'single-leg-heel-raise',
    name: 'Single-leg heel raise on step',
    muscles: ['calves', 'Achilles tendon'],
    equipment: 'step',
    level: 'medium',
    instruction:
      'Stand with the ball of one foot on the edge of a step. Rise as high as possible, then lower the heel below the edge over three seconds. Hold on to something light for balance only.',
  },
  {
    slug: 'seated-heel-raise',
    name: 'Seated heel raise',
    muscles: ['soleus'],
    equipment: 'chair',
    level: 'easy',
    instruction:
      'Sit with your feet flat and a weight across your thighs. Lift both heels as high as you can and lower them slowly. Bent knees let the deep calf muscle do the work.',
  },
  {
    slug: 'toe-raise',
    name: 'Toe raise against wall',
    muscles: ['tibialis anterior'],
    equipment: 'wall',
    level: 'easy',
    instruction:
      'Lean your back against a wall with the heels a foot’s length in front of it. Lift the front of both feet towards your shins and lower them with control. Move the heels further away to make it harder.',
  },
  {
    slug: 'short-foot',
    name: 'Short foot',
    muscles: ['foot muscles'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Stand or sit barefoot. Draw the ball of the foot towards the heel so that the arch rises, without curling the toes. Hold for five seconds and let go.',
  },
  {
    slug: 'ankle-band-eversion',
    name: 'Ankle eversion with band',
    muscles: ['peroneals'],
    equipment: 'resistance band',
    level: 'easy',
    instruction:
      'Sit with the leg straight and a band round the forefoot, anchored on the inner side. Turn the sole outwards against the band without moving the knee. Return slowly.',
  },
]
