import type { ExerciseContent } from '../content-schema.ts'

/** Hinges, bridges and the muscles round the hip. */
export const hipExercises: readonly ExerciseContent[] = [
  {
    slug: 'glute-bridge',
    name: 'Glute bridge',
    muscles: ['gluteals', 'hamstrings'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie on your back with your knees bent and feet flat. Squeeze the buttocks and lift the hips until shoulders, hips and knees are in line. Lower one vertebra at a time.',
  },
  {
    slug: 'single-leg-bridge',
    name: 'Single-leg bridge',
    muscles: ['gluteals', 'hamstrings', 'trunk'],
    equipment: 'mat',
    level: 'medium',
    instruction:
      'Start as for the bridge and straighten one leg in line with the other thigh. Lift the hips with the leg that is on the floor and keep the pelvis level. Lower without touching the floor between repetitions.',
  },
  {
    slug: 'hip-thrust',
    name: 'Hip thrust',
    muscles: ['gluteals'],
    equipment: 'barbell and bench',
    level: 'medium',
    instruction:
      'Rest your shoulder blades on a bench with a padded bar across the hips. Drive the hips up until the trunk is level, ribs down and chin tucked. Pause at the top and lower with control.',
  },
  {
    slug: 'bridge-march',
    name: 'Bridge with march',
    muscles: ['gluteals', 'trunk'],
    equipment: 'mat',
    level: 'medium',
    instruction:
      'Hold a bridge with the hips high. Lift one foot a few centimetres, put it down, then lift the other, as if marching on the spot. Nothing but the legs should move.',
  },
  {
    slug: 'romanian-deadlift',
    name: 'Romanian deadlift',
    muscles: ['hamstrings', 'gluteals', 'back extensors'],
    equipment: 'barbell',
    level: 'medium',
    instruction:
      'Stand tall with the bar against your thighs and the knees slightly bent. Push the hips back and let the bar slide down the legs until you feel the hamstrings stretch. Bring the hips forward to stand, with the same flat back.',
  },
  {
    slug: 'single-leg-deadlift',
    name: 'Single-leg deadlift',
    muscles: ['hamstrings', 'gluteals', 'hip stabilisers'],
    equipment: 'kettlebell',
    level: 'medium',
    instruction:
      'Stand on one leg and tip forward from the hip while the free leg rises behind you as a counterweight. Keep the hips square to the floor. Return to standing without putting the foot down if you can.',
  },
  {
    slug: 'deadlift',
    name: 'Deadlift',
    muscles: ['gluteals', 'hamstrings', 'back extensors'],
    equipment: 'barbell',
    level: 'hard',
    instruction:
      'Stand with the bar over the middle of your feet and grip it just outside the knees. Brace, push the floor away and stand up with the bar close to the legs. Lower it along the same path by sending the hips back first.',
  },
  {
    slug: 'kettlebell-swing',
    name: 'Kettlebell swing',
    muscles: ['gluteals', 'hamstrings', 'trunk'],
    equipment: 'kettlebell',
    level: 'hard',
    instruction:
      'Hike the kettlebell back between the thighs and snap the hips forward so that it floats to chest height. The arms only guide it. Let it fall and hinge again as it passes the hips.',
  },
  {
    slug: 'hip-hinge-with-stick',
    name: 'Hip hinge with stick',
    muscles: ['hamstrings', 'back extensors'],
    equipment: 'stick',
    level: 'easy',
    instruction:
      'Hold a stick along your spine so that it touches the back of the head, the upper back and the tailbone. Push the hips back and lean forward with all three points in contact. This is the movement to use when you lift.',
  },
  {
    slug: 'clamshell',
    name: 'Clamshell',
    muscles: ['hip abductors', 'hip rotators'],
    equipment: 'resistance band',
    level: 'easy',
    instruction:
      'Lie on your side with hips and knees bent and a band round the thighs. Keep the feet together and open the upper knee without rolling the pelvis back. Close slowly against the band.',
  },
  {
    slug: 'side-lying-leg-raise',
    name: 'Side-lying leg raise',
    muscles: ['hip abductors'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie on your side with the lower knee bent. Lift the straight upper leg with the heel leading and the toes pointing forward. Stop before the waist begins to fold.',
  },
  {
    slug: 'band-walk',
    name: 'Sideways band walk',
    muscles: ['hip abductors', 'gluteals'],
    equipment: 'resistance band',
    level: 'medium',
    instruction:
      'Put a band round the ankles or above the knees and bend the knees a little. Step sideways in small steps that keep tension on the band. The trunk stays still and the toes point ahead.',
  },
  {
    slug: 'copenhagen-adduction',
    name: 'Copenhagen adduction',
    muscles: ['adductors', 'trunk'],
    equipment: 'bench',
    level: 'hard',
    instruction:
      'Lie on your side with the upper leg supported on a bench. Lift the hips and bring the lower leg up to meet the upper one. Shorten the lever by supporting the knee instead of the ankle.',
  },
  {
    slug: 'adductor-squeeze',
    name: 'Adductor squeeze',
    muscles: ['adductors'],
    equipment: 'ball',
    level: 'easy',
    instruction:
      'Lie on your back with bent knees and a ball between them. Squeeze the ball for five seconds without holding your breath. Increase the force a little with each repetition as long as it is comfortable.',
  },
  {
    slug: 'standing-hip-flexion',
    name: 'Standing hip flexion with band',
    muscles: ['hip flexors'],
    equipment: 'resistance band',
    level: 'easy',
    instruction:
      'Stand on one leg with a band round the other foot. Lift that knee to hip height against the band and lower it slowly. Hold on to a wall and stay tall.',
  },
]
