import type { ExerciseContent } from '../content-schema.ts'

const quads = ['quadriceps', 'gluteals']

/** Squats in all their forms. */
export const squatExercises: readonly ExerciseContent[] = [
  {
    slug: 'bodyweight-squat',
    name: 'Bodyweight squat',
    muscles: quads,
    equipment: 'none',
    level: 'easy',
    instruction:
      'Stand with your feet hip-width apart and your weight over the middle of the foot. Sit back and down as if onto a chair, as deep as you can with a straight back, then press the floor away to stand. Let the knees follow the direction of the toes.',
  },
  {
    slug: 'chair-squat',
    name: 'Squat to chair',
    muscles: quads,
    equipment: 'chair',
    level: 'easy',
    instruction:
      'Stand in front of a chair with your feet hip-width apart. Lower yourself slowly until you just touch the seat, then stand up again without using your hands. Choose a higher seat if your knees complain.',
  },
  {
    slug: 'goblet-squat',
    name: 'Goblet squat',
    muscles: [...quads, 'trunk'],
    equipment: 'kettlebell',
    level: 'medium',
    instruction:
      'Hold a kettlebell against your chest with both hands. Squat down between your knees with a proud chest and elbows pointing to the floor. Stand up by pushing through the whole foot.',
  },
  {
    slug: 'barbell-back-squat',
    name: 'Barbell back squat',
    muscles: [...quads, 'trunk'],
    equipment: 'barbell',
    level: 'hard',
    instruction:
      'Place the bar across the upper back, breathe in and brace your trunk. Bend hips and knees together until the thighs are about level, then drive up with the bar moving in a straight line over the mid-foot. Use a rack with safety pins.',
  },
  {
    slug: 'front-squat',
    name: 'Barbell front squat',
    muscles: [...quads, 'upper back'],
    equipment: 'barbell',
    level: 'hard',
    instruction:
      'Rest the bar on the front of your shoulders with the elbows high. Squat straight down while you keep the elbows up and the chest tall. Stop at the depth where your lower back would begin to round.',
  },
  {
    slug: 'split-squat',
    name: 'Split squat',
    muscles: quads,
    equipment: 'none',
    level: 'medium',
    instruction:
      'Take a long step forward and stay in that stance. Lower the back knee straight towards the floor, with most of your weight on the front heel, then rise again. Finish one side before you change legs.',
  },
  {
    slug: 'rear-foot-elevated-split-squat',
    name: 'Rear-foot-elevated split squat',
    muscles: quads,
    equipment: 'bench',
    level: 'hard',
    instruction:
      'Stand in front of a bench and rest the top of one foot on it behind you. Lower yourself over the front leg with a slight forward lean, keeping the pelvis level. Push through the front foot to come up.',
  },
  {
    slug: 'wall-squat-hold',
    name: 'Wall squat hold',
    muscles: ['quadriceps'],
    equipment: 'wall',
    level: 'easy',
    instruction:
      'Lean your back against a wall and slide down until your knees are bent to a comfortable angle. Hold the position and breathe calmly. Slide up again before your back loses contact with the wall.',
  },
  {
    slug: 'sumo-squat',
    name: 'Sumo squat',
    muscles: [...quads, 'adductors'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Stand wide with the toes turned out. Bend the knees outwards over the toes and lower the hips straight down. Squeeze the inner thighs as you return to standing.',
  },
  {
    slug: 'single-leg-squat-to-box',
    name: 'Single-leg squat to box',
    muscles: quads,
    equipment: 'box',
    level: 'hard',
    instruction:
      'Stand on one leg in front of a box with your arms stretched forward. Sit down slowly until you touch the box and stand up on the same leg. Keep the knee in line with the second toe all the way.',
  },
  {
    slug: 'jump-squat',
    name: 'Squat jump',
    muscles: [...quads, 'calves'],
    equipment: 'none',
    level: 'hard',
    instruction:
      'Squat to about a quarter depth and jump straight up with a swing of the arms. Land softly on the whole foot and let hips and knees absorb the landing. Steady yourself before the next jump.',
  },
  {
    slug: 'mini-squat-decline',
    name: 'Decline squat on one leg',
    muscles: ['quadriceps', 'patellar tendon'],
    equipment: 'slant board',
    level: 'medium',
    instruction:
      'Stand on one leg on a slant board with the heel higher than the toes. Bend the knee slowly to about sixty degrees over three seconds. Use the other leg to help you up; mild tendon pain while you do it is acceptable.',
  },
]
