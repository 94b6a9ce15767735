import type { ExerciseContent } from '../content-schema.ts'

/** Shoulder control and the neck. */
export const shoulderNeckExercises: readonly ExerciseContent[] = [
  {
    slug: 'external-rotation-band',
    name: 'Shoulder external rotation with band',
    muscles: ['rotator cuff'],
    equipment: 'resistance band',
    level: 'easy',
    instruction:
      'Stand with the elbow bent at your side and a small towel under the arm. Turn the forearm outwards against the band without moving the elbow. Return slowly to the stomach.',
  },
  {
    slug: 'internal-rotation-band',
    name: 'Shoulder internal rotation with band',
    muscles: ['rotator cuff'],
    equipment: 'resistance band',
    level: 'easy',
    instruction:
      'Stand with the side to be trained towards the anchor and the elbow bent at your side. Pull the hand in towards the navel. Let it turn out again slowly, as far as is comfortable.',
  },
  {
    slug: 'scapular-push-up',
    name: 'Scapular push-up',
    muscles: ['serratus anterior'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'In a straight-arm plank or against a wall, let the chest sink between the shoulder blades. Then push the upper back away from the floor. The elbows stay straight the whole time.',
  },
  {
    slug: 'wall-slide',
    name: 'Wall slide',
    muscles: ['serratus anterior', 'lower trapezius'],
    equipment: 'wall',
    level: 'easy',
    instruction:
      'Stand facing a wall with the forearms against it. Slide the arms up in a slight V while you push gently into the wall. Lower them without shrugging.',
  },
  {
    slug: 'prone-y-raise',
    name: 'Prone Y raise',
    muscles: ['lower trapezius', 'shoulders'],
    equipment: 'bench',
    level: 'medium',
    instruction:
      'Lie face down with the arms hanging. Raise them in the shape of a Y with the thumbs up until they are in line with the body. Lower slowly and keep the neck long.',
  },
  {
    slug: 'band-pull-apart',
    name: 'Band pull-apart',
    muscles: ['upper back', 'rear shoulders'],
    equipment: 'resistance band',
    level: 'easy',
    instruction:
      'Hold a band in front of you at shoulder height. Pull it apart until it touches the chest, with straight arms. Return slowly without letting the shoulders creep up.',
  },
  {
    slug: 'face-pull',
    name: 'Face pull',
    muscles: ['rear shoulders', 'upper back'],
    equipment: 'cable machine',
    level: 'medium',
    instruction:
      'Pull a rope from eye height towards the forehead with the elbows wide. Turn the hands up at the end so that the forearms point to the ceiling. Return with control.',
  },
  {
    slug: 'pendulum',
    name: 'Shoulder pendulum',
    muscles: ['shoulder mobility'],
    equipment: 'table',
    level: 'easy',
    instruction:
      'Lean forward with one hand on a table and let the other arm hang loosely. Shift your weight so that the arm swings in small circles by itself. Change direction after half a minute.',
  },
  {
    slug: 'table-slide',
    name: 'Table slide',
    muscles: ['shoulder mobility'],
    equipment: 'table and towel',
    level: 'easy',
    instruction:
      'Sit at a table with your hand on a towel. Slide the hand forward and lean after it until you feel a stretch, wait a breath and come back. The table carries the weight of the arm.',
  },
  {
    slug: 'shoulder-flexion-stick',
    name: 'Shoulder lift with stick',
    muscles: ['shoulder mobility'],
    equipment: 'stick',
    level: 'easy',
    instruction:
      'Lie on your back and hold a stick with both hands. Lift it overhead with the good arm helping the sore one. Stop where it becomes uncomfortable and stay there for a breath.',
  },
  {
    slug: 'chin-tuck',
    name: 'Chin tuck',
    muscles: ['deep neck flexors'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Sit tall and glide your chin straight back as if making a double chin. Hold for three seconds without tipping the head. The back of the neck becomes long.',
  },
  {
    slug: 'neck-isometric-side',
    name: 'Neck hold to the side',
    muscles: ['neck muscles'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Place a palm against the side of the head. Press the head gently into the hand without any movement for five seconds. Use no more than a third of your strength.',
  },
  {
    slug: 'neck-rotation',
    name: 'Neck rotation',
    muscles: ['neck mobility'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Sit upright and turn your head slowly as if looking over the shoulder. Wait for a breath at the end and come back to the middle. Do the same to the other side.',
  },
  {
    slug: 'shoulder-shrug',
    name: 'Shoulder shrug',
    muscles: ['upper trapezius'],
    equipment: 'dumbbells',
    level: 'easy',
    instruction:
      'Stand with a dumbbell in each hand. Lift the shoulders straight up towards the ears, hold a second and lower slowly. Do not roll them.',
  },
]
