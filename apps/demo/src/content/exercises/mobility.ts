import type { ExerciseContent } from '../content-schema.ts'

/** Stretching and mobility. */
export const mobilityExercises: readonly ExerciseContent[] = [
  {
    slug: 'cat-camel',
    name: 'Cat and camel',
    muscles: ['spine mobility'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'On hands and knees, round the whole back towards the ceiling, then let it sag slowly. Move without force through the comfortable range. Let the head follow.',
  },
  {
    slug: 'open-book',
    name: 'Open book',
    muscles: ['thoracic mobility', 'chest'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie on your side with bent knees and both arms stretched in front. Open the upper arm in a wide arc and follow it with your eyes until the chest faces up. Breathe out, stay, and close again.',
  },
  {
    slug: 'thoracic-extension-roller',
    name: 'Thoracic extension over roller',
    muscles: ['thoracic mobility'],
    equipment: 'foam roller',
    level: 'easy',
    instruction:
      'Lie with a roller across the upper back and support your head. Let the upper back bend over the roller while the hips stay down. Move the roller a little and repeat.',
  },
  {
    slug: 'childs-pose',
    name: 'Child’s pose',
    muscles: ['back', 'latissimus'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Kneel and sit back on your heels with the arms stretched forward on the floor. Let the chest sink and breathe into the back. Walk the hands to one side for a stretch along the flank.',
  },
  {
    slug: 'hip-flexor-stretch',
    name: 'Kneeling hip flexor stretch',
    muscles: ['hip flexors'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Kneel on one knee with the other foot in front. Tuck the pelvis under and shift forward until the front of the hip stretches. Stay upright and breathe for half a minute.',
  },
  {
    slug: 'hamstring-stretch-strap',
    name: 'Hamstring stretch with strap',
    muscles: ['hamstrings'],
    equipment: 'strap',
    level: 'easy',
    instruction:
      'Lie on your back with a strap round one foot. Straighten the knee and draw the leg up until the back of the thigh stretches. The other leg stays flat on the floor.',
  },
  {
    slug: 'calf-stretch-wall',
    name: 'Calf stretch at wall',
    muscles: ['calves'],
    equipment: 'wall',
    level: 'easy',
    instruction:
      'Lean against a wall with one leg behind you, heel down and knee straight. Move the hips forward until the calf stretches. Bend the back knee to reach the deeper muscle.',
  },
  {
    slug: 'quadriceps-stretch',
    name: 'Standing quadriceps stretch',
    muscles: ['quadriceps'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Stand on one leg and hold the other ankle behind you. Bring the knee under the hip and tuck the pelvis. Hold on to something if you lose your balance.',
  },
  {
    slug: 'piriformis-stretch',
    name: 'Figure-four stretch',
    muscles: ['gluteals', 'hip rotators'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie on your back and cross one ankle over the other knee. Pull the lower thigh towards you until the buttock stretches. Keep the head on the mat.',
  },
  {
    slug: 'adductor-rock-back',
    name: 'Adductor rock-back',
    muscles: ['adductors', 'hip mobility'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'On hands and knees, stretch one leg out to the side with the foot flat. Rock the hips back towards the heel and forward again. Keep the back in its natural shape.',
  },
  {
    slug: 'deep-squat-hold',
    name: 'Deep squat hold',
    muscles: ['hip mobility', 'ankle mobility'],
    equipment: 'none',
    level: 'medium',
    instruction:
      'Hold on to a door frame and sink into the deepest squat you can with flat feet. Let the knees open and the back be long. Stay and breathe, then help yourself up with the arms.',
  },
  {
    slug: 'ankle-rock',
    name: 'Knee to wall',
    muscles: ['ankle mobility'],
    equipment: 'wall',
    level: 'easy',
    instruction:
      'Place one foot a hand’s width from the wall. Bend the knee forward to touch the wall while the heel stays down. Move the foot back until you just reach it.',
  },
  {
    slug: 'doorway-chest-stretch',
    name: 'Doorway chest stretch',
    muscles: ['chest', 'front shoulders'],
    equipment: 'door frame',
    level: 'easy',
    instruction:
      'Put your forearm against a door frame with the elbow at shoulder height. Turn the chest gently away until the front of the shoulder stretches. Hold for half a minute on each side.',
  },
  {
    slug: 'lumbar-rotation',
    name: 'Lying knee roll',
    muscles: ['lower back mobility', 'obliques'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie on your back with bent knees together. Let both knees fall slowly to one side, pause and bring them across to the other. The shoulders stay on the mat.',
  },
  {
    slug: 'ninety-ninety-switch',
    name: 'Ninety-ninety hip switch',
    muscles: ['hip mobility', 'hip rotators'],
    equipment: 'mat',
    level: 'medium',
    instruction:
      'Sit with one leg bent in front and the other to the side, both at right angles. Lift the knees and turn them over to the other side. Lean back on your hands as much as you need.',
  },
  {
    slug: 'nerve-glide-sciatic',
    name: 'Sciatic nerve glide',
    muscles: ['nerve mobility'],
    equipment: 'chair',
    level: 'easy',
    instruction:
      'Sit slumped with your head down. Straighten one knee and look up at the same time, then bend the knee and look down. Keep it gentle; it should tingle at most for a moment.',
  },
]
