import type { ExerciseContent } from '../content-schema.ts'

/** Pushing and pulling. */
export const upperBodyExercises: readonly ExerciseContent[] = [
  {
    slug: 'push-up',
    name: 'Push-up',
    muscles: ['chest', 'triceps', 'trunk'],
    equipment: 'none',
    level: 'medium',
    instruction:
      'Place your hands a little wider than the shoulders and make the body one line. Lower the chest between the hands with the elbows at about forty-five degrees. Push up without letting the hips lag behind.',
  },
  {
    slug: 'incline-push-up',
    name: 'Incline push-up',
    muscles: ['chest', 'triceps'],
    equipment: 'bench',
    level: 'easy',
    instruction:
      'Put your hands on a bench or a table and walk the feet back until the body is straight. Bend the elbows until the chest is near the edge, then push away. The higher the support, the easier it is.',
  },
  {
    slug: 'bench-press',
    name: 'Bench press',
    muscles: ['chest', 'triceps', 'shoulders'],
    equipment: 'barbell and bench',
    level: 'hard',
    instruction:
      'Lie with your eyes under the bar, shoulder blades drawn together. Lower the bar to the lower chest and press it up over the shoulders. Train with a spotter or safety arms.',
  },
  {
    slug: 'dumbbell-chest-press',
    name: 'Dumbbell chest press',
    muscles: ['chest', 'triceps'],
    equipment: 'dumbbells and bench',
    level: 'medium',
    instruction:
      'Lie on a bench with a dumbbell in each hand above the shoulders. Lower them beside the chest until the upper arms are level. Press up and slightly together.',
  },
  {
    slug: 'bent-over-row',
    name: 'Bent-over row',
    muscles: ['upper back', 'latissimus', 'biceps'],
    equipment: 'barbell',
    level: 'medium',
    instruction:
      'Hinge forward with a flat back and let the bar hang. Pull it to the lower ribs by drawing the elbows back. Lower it under control without changing the angle of the trunk.',
  },
  {
    slug: 'one-arm-dumbbell-row',
    name: 'One-arm dumbbell row',
    muscles: ['latissimus', 'upper back', 'biceps'],
    equipment: 'dumbbell and bench',
    level: 'easy',
    instruction:
      'Support one hand and knee on a bench. Pull the dumbbell towards the hip and keep the elbow close to the body. Lower it until the shoulder blade glides forward.',
  },
  {
    slug: 'seated-cable-row',
    name: 'Seated cable row',
    muscles: ['upper back', 'latissimus', 'biceps'],
    equipment: 'cable machine',
    level: 'easy',
    instruction:
      'Sit tall with slightly bent knees. Pull the handle to the navel and bring the shoulder blades together at the end. Let the arms straighten slowly while the trunk stays upright.',
  },
  {
    slug: 'band-row',
    name: 'Standing row with band',
    muscles: ['upper back', 'biceps'],
    equipment: 'resistance band',
    level: 'easy',
    instruction:
      'Fix a band at chest height and step back until it is tight. Draw the elbows past your sides and squeeze the shoulder blades for a second. Return slowly with relaxed shoulders.',
  },
  {
    slug: 'inverted-row',
    name: 'Inverted row',
    muscles: ['upper back', 'latissimus', 'trunk'],
    equipment: 'bar or sling',
    level: 'medium',
    instruction:
      'Hang under a bar at hip height with a straight body and your heels on the floor. Pull the chest to the bar and lower again. Bend the knees to make it lighter.',
  },
  {
    slug: 'rowing-machine',
    name: 'Rowing machine',
    muscles: ['legs', 'upper back', 'heart and lungs'],
    equipment: 'rowing machine',
    level: 'medium',
    instruction:
      'Drive with the legs first, then lean back a little, then pull the handle to the ribs. Return in the opposite order: arms, trunk, legs. Keep a rate of about twenty strokes a minute to begin with.',
  },
  {
    slug: 'pull-up',
    name: 'Pull-up',
    muscles: ['latissimus', 'biceps', 'upper back'],
    equipment: 'pull-up bar',
    level: 'hard',
    instruction:
      'Hang from the bar with straight arms and draw the shoulder blades down. Pull until the chin is over the bar. Lower all the way; a band under the foot takes some of the weight.',
  },
  {
    slug: 'lat-pulldown',
    name: 'Lat pulldown',
    muscles: ['latissimus', 'biceps'],
    equipment: 'cable machine',
    level: 'easy',
    instruction:
      'Sit with the thighs under the pads and grip the bar wider than the shoulders. Pull it to the collarbone with the chest lifted. Let it rise slowly until the arms are straight.',
  },
  {
    slug: 'overhead-press',
    name: 'Overhead press',
    muscles: ['shoulders', 'triceps', 'trunk'],
    equipment: 'barbell',
    level: 'hard',
    instruction:
      'Hold the bar at the collarbone with the forearms upright. Press it overhead close to the face and finish with the arms beside the ears. Tighten the buttocks so that the lower back does not arch.',
  },
  {
    slug: 'dumbbell-shoulder-press',
    name: 'Seated dumbbell shoulder press',
    muscles: ['shoulders', 'triceps'],
    equipment: 'dumbbells',
    level: 'medium',
    instruction:
      'Sit with a dumbbell at each shoulder, palms forward. Press both up until the arms are nearly straight and lower them to ear height. Keep the ribs down.',
  },
  {
    slug: 'lateral-raise',
    name: 'Lateral raise',
    muscles: ['shoulders'],
    equipment: 'dumbbells',
    level: 'easy',
    instruction:
      'Stand with the arms at your sides and the elbows soft. Raise the dumbbells out to shoulder height, slightly in front of the body. Lower them more slowly than you lifted them.',
  },
  {
    slug: 'biceps-curl',
    name: 'Biceps curl',
    muscles: ['biceps'],
    equipment: 'dumbbells',
    level: 'easy',
    instruction:
      'Hold the dumbbells with the palms forward and the elbows at your sides. Bend the elbows without moving the upper arms. Lower until the arms are straight.',
  },
  {
    slug: 'hammer-curl',
    name: 'Hammer curl',
    muscles: ['biceps', 'forearm'],
    equipment: 'dumbbells',
    level: 'easy',
    instruction:
      'Hold the dumbbells with the palms facing each other. Bend the elbows and keep the wrists straight. This grip is kind to a sore elbow.',
  },
  {
    slug: 'triceps-pushdown',
    name: 'Triceps pushdown',
    muscles: ['triceps'],
    equipment: 'cable machine',
    level: 'easy',
    instruction:
      'Stand at a high pulley with the elbows at your sides. Straighten the arms against the cable and pause. Let the hands rise only as far as the elbows stay still.',
  },
  {
    slug: 'bench-dip',
    name: 'Bench dip',
    muscles: ['triceps', 'chest'],
    equipment: 'bench',
    level: 'medium',
    instruction:
      'Support yourself with your hands on the edge of a bench behind you. Bend the elbows until the upper arms are level, then push up. Leave it out if the front of the shoulder hurts.',
  },
  {
    slug: 'wrist-extension-eccentric',
    name: 'Slow wrist lowering',
    muscles: ['forearm extensors'],
    equipment: 'dumbbell',
    level: 'easy',
    instruction:
      'Rest the forearm on a table with the palm down and the hand over the edge. Lift the weight with the help of the other hand and lower it alone over four seconds. Used for tennis elbow; slight discomfort is acceptable.',
  },
  {
    slug: 'grip-squeeze',
    name: 'Grip squeeze',
    muscles: ['grip', 'forearm'],
    equipment: 'soft ball',
    level: 'easy',
    instruction:
      'Hold a soft ball and squeeze it with all fingers for five seconds. Open the hand wide afterwards. Keep the wrist straight and the shoulder relaxed.',
  },
]
