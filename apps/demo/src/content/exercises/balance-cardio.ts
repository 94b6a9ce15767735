import type { ExerciseContent } from '../content-schema.ts'

/** Balance, steps and endurance. */
export const balanceCardioExercises: readonly ExerciseContent[] = [
  {
    slug: 'single-leg-stand',
    name: 'Single-leg stand',
    muscles: ['balance', 'ankle stabilisers'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Stand on one leg near a support with your eyes on a fixed point. Keep the pelvis level and the standing knee soft. Turn your head or close your eyes to make it harder.',
  },
  {
    slug: 'tandem-stand',
    name: 'Tandem stand',
    muscles: ['balance'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Place one foot directly in front of the other, heel to toe. Stand still for as long as you can with a hand close to a support. Change the front foot.',
  },
  {
    slug: 'tandem-walk',
    name: 'Heel-to-toe walk',
    muscles: ['balance'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Walk along a line and put the heel right in front of the toes at each step. Look ahead rather than at your feet. Walk beside a wall if you feel unsafe.',
  },
  {
    slug: 'star-reach',
    name: 'Star reach',
    muscles: ['balance', 'hip stabilisers', 'quadriceps'],
    equipment: 'none',
    level: 'medium',
    instruction:
      'Stand on one leg and imagine a star on the floor. Tap the other foot lightly along each of its arms and return to the centre. Bend the standing knee to reach further.',
  },
  {
    slug: 'balance-board',
    name: 'Balance board',
    muscles: ['balance', 'ankle stabilisers'],
    equipment: 'balance board',
    level: 'medium',
    instruction:
      'Stand on the board with both feet and find the middle. Keep its edges off the floor with small movements of the ankles. Throw and catch a ball when you are steady.',
  },
  {
    slug: 'weight-shift',
    name: 'Weight shift',
    muscles: ['balance', 'hip stabilisers'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Stand with your feet apart and move your weight slowly over one foot until the other is light. Wait a breath, then move to the other side. Keep the trunk upright.',
  },
  {
    slug: 'sit-to-stand',
    name: 'Sit to stand',
    muscles: ['quadriceps', 'gluteals'],
    equipment: 'chair',
    level: 'easy',
    instruction:
      'Sit on the front half of a chair with your feet under the knees. Lean forward and stand up in one movement, arms crossed if you can. Sit down again slowly.',
  },
  {
    slug: 'marching-on-the-spot',
    name: 'Marching on the spot',
    muscles: ['hip flexors', 'balance', 'heart and lungs'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'March with high knees and swinging arms at a pace where you can still talk. Put the feet down softly. Hold on to a chair with one hand if needed.',
  },
  {
    slug: 'brisk-walk',
    name: 'Brisk walk',
    muscles: ['heart and lungs', 'legs'],
    equipment: 'none',
    level: 'easy',
    instruction:
      'Walk at a pace that makes you breathe faster but lets you speak in sentences. Swing the arms and roll from heel to toe. Add a hill once the flat has become easy.',
  },
  {
    slug: 'stationary-bike',
    name: 'Stationary bike',
    muscles: ['heart and lungs', 'quadriceps'],
    equipment: 'exercise bike',
    level: 'easy',
    instruction:
      'Set the saddle so that the knee is slightly bent at the bottom. Pedal at seventy to ninety turns a minute with a light load. Increase the load rather than the speed.',
  },
  {
    slug: 'cross-trainer',
    name: 'Cross-trainer',
    muscles: ['heart and lungs', 'whole body'],
    equipment: 'cross-trainer',
    level: 'easy',
    instruction:
      'Stand tall and push and pull with the arms in time with the legs. Keep the whole foot on the pedal. Choose a resistance that you can hold for the whole interval.',
  },
  {
    slug: 'treadmill-interval',
    name: 'Treadmill interval',
    muscles: ['heart and lungs', 'legs'],
    equipment: 'treadmill',
    level: 'hard',
    instruction:
      'Warm up for ten minutes. Walk or run uphill for four minutes so that you breathe heavily, then walk easily for three minutes. You should be able to say only a few words at the end of each interval.',
  },
  {
    slug: 'jumping-jack',
    name: 'Jumping jack',
    muscles: ['heart and lungs', 'whole body'],
    equipment: 'none',
    level: 'medium',
    instruction:
      'Jump the feet apart while the arms swing overhead, then jump back. Land on the balls of the feet with soft knees. Step from side to side instead if jumping hurts.',
  },
  {
    slug: 'skipping-rope',
    name: 'Skipping rope',
    muscles: ['calves', 'heart and lungs'],
    equipment: 'skipping rope',
    level: 'medium',
    instruction:
      'Turn the rope from the wrists and jump just high enough to clear it. Stay on the balls of the feet. Begin with twenty seconds and add ten each week.',
  },
  {
    slug: 'burpee',
    name: 'Burpee',
    muscles: ['whole body', 'heart and lungs'],
    equipment: 'none',
    level: 'hard',
    instruction:
      'Squat down, put your hands on the floor and step or jump back into a plank. Come back to the squat and jump up. Keep the trunk firm when the feet land.',
  },
  {
    slug: 'box-jump',
    name: 'Box jump',
    muscles: ['quadriceps', 'gluteals', 'calves'],
    equipment: 'box',
    level: 'hard',
    instruction:
      'Stand a foot’s length in front of a sturdy box. Swing the arms, jump and land quietly with both feet on top. Step down; do not jump down.',
  },
  {
    slug: 'diaphragmatic-breathing',
    name: 'Diaphragmatic breathing',
    muscles: ['diaphragm', 'relaxation'],
    equipment: 'mat',
    level: 'easy',
    instruction:
      'Lie comfortably with one hand on the chest and one on the belly. Breathe in through the nose so that only the lower hand rises. Breathe out slowly through pursed lips, twice as long as in.',
  },
]
