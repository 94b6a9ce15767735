import type { ExerciseContent } from '../content-schema.ts'

/** Exercises for the trunk and the lower back. */
export const trunkExercises: readonly ExerciseContent[] = [
  {
    slug: 'dead-bug',
    name: 'Dead bug',
    muscles: ['abdominals', 'trunk'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie on your back with the arms up and hips and knees at right angles. Lower one arm and the opposite leg towards the floor while the lower back stays where it is. Return and change sides; breathe out on the way down.',
  },
  {
    slug: 'bird-dog',
    name: 'Bird dog',
    muscles: ['back extensors', 'gluteals', 'trunk'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'On hands and knees, stretch one arm forward and the opposite leg back until both are level. Imagine a glass of water on your lower back. Hold three seconds, return and change sides.',
  },
  {
    slug: 'front-plank',
    name: 'Front plank',
    muscles: ['abdominals', 'trunk'],
    equipment: 'mat',
    level: 'medium',
    instruction:
      'Support yourself on forearms and toes with the body in one line. Tuck the pelvis slightly and push the floor away. Stop when the lower back begins to sag.',
  },
  {
    slug: 'plank-on-knees',
    name: 'Plank on knees',
    muscles: ['abdominals', 'trunk'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Support yourself on forearms and knees with a straight line from head to knees. Draw the ribs towards the pelvis and breathe calmly. Lift the knees for a few seconds when it becomes easy.',
  },
  {
    slug: 'side-plank',
    name: 'Side plank',
    muscles: ['obliques', 'hip abductors'],
    equipment: 'mat',
    level: 'medium',
    instruction:
      'Lie on your side propped on one forearm with the feet stacked. Lift the hips until the body is straight and hold. Bend the lower knee if the full position is too heavy.',
  },
  {
    slug: 'pallof-press',
    name: 'Pallof press',
    muscles: ['obliques', 'trunk'],
    equipment: 'resistance band',
    level: 'medium',
    instruction:
      'Stand sideways to a band that is fixed at chest height and hold it in front of your breastbone. Press the hands straight out and resist the turn. Bring them back slowly and finish the side.',
  },
  {
    slug: 'curl-up',
    name: 'Curl-up',
    muscles: ['abdominals'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie on your back with one knee bent and your hands under the small of the back. Lift head and shoulders a few centimetres as one piece and hold for eight seconds. The back keeps its natural arch.',
  },
  {
    slug: 'reverse-crunch',
    name: 'Reverse crunch',
    muscles: ['abdominals'],
    equipment: 'mat',
    level: 'medium',
    instruction:
      'Lie on your back with the knees over the hips. Roll the pelvis up towards the ribs until the tailbone leaves the mat. Lower it slowly without swinging the legs.',
  },
  {
    slug: 'hollow-hold',
    name: 'Hollow hold',
    muscles: ['abdominals', 'hip flexors'],
    equipment: 'mat',
    level: 'hard',
    instruction:
      'Lie on your back, press the lower back down and lift shoulders and straight legs off the mat. Stretch the arms overhead and hold the shallow curve. Bend the knees if the back lifts.',
  },
  {
    slug: 'russian-twist',
    name: 'Seated trunk rotation with ball',
    muscles: ['obliques'],
    equipment: 'medicine ball',
    level: 'medium',
    instruction:
      'Sit with bent knees and lean back until the abdominals work. Turn the chest to one side with the ball in front of it, then to the other. Move from the ribs and leave the hips still.',
  },
  {
    slug: 'back-extension',
    name: 'Back extension on bench',
    muscles: ['back extensors', 'gluteals'],
    equipment: 'back extension bench',
    level: 'medium',
    instruction:
      'Fix your ankles and let the trunk hang over the pad. Raise yourself until the body is straight and no further. Lower again at the same calm speed.',
  },
  {
    slug: 'prone-press-up',
    name: 'Prone press-up',
    muscles: ['lower back mobility'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie face down with your hands beside the shoulders. Straighten the arms and let the pelvis stay on the floor so that the back bends softly. Go only as far as any leg pain moves towards the back.',
  },
  {
    slug: 'pelvic-tilt',
    name: 'Pelvic tilt',
    muscles: ['abdominals', 'lower back mobility'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie on your back with bent knees. Tip the pelvis so that the lower back meets the mat, then let it arch a little again. Make the movement small, slow and without effort.',
  },
  {
    slug: 'farmers-walk',
    name: 'Farmer’s walk',
    muscles: ['grip', 'trunk', 'upper back'],
    equipment: 'kettlebells',
    level: 'medium',
    instruction:
      'Pick up a heavy weight in each hand and walk with short, even steps. Stay tall with the shoulders back. Put the weights down with a straight back before the grip fails.',
  },
  {
    slug: 'suitcase-carry',
    name: 'Suitcase carry',
    muscles: ['obliques', 'grip'],
    equipment: 'kettlebell',
    level: 'medium',
    instruction:
      'Carry one weight at your side and walk as if there were none. Do not lean towards it or away from it. Change hands halfway.',
  },
  {
    slug: 'mountain-climber',
    name: 'Mountain climber',
    muscles: ['abdominals', 'hip flexors', 'shoulders'],
    equipment: 'none',
    level: 'medium',
    instruction:
      'From a straight-arm plank bring one knee towards the chest, then the other, in a steady rhythm. Keep the hips at the height of the shoulders. Slow down when they begin to bounce.',
  },
]
