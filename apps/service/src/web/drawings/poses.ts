/**
 * The drawing of each exercise, as short as a person can still edit. Parts are separated by `; `, and a part is a
 * word with its numbers. The drawing is 100 wide and 100 high, y points down, and the floor is at 94.
 *
 * - Figures: `to` (seen from its right side, it looks to the right) and `front`; `from` and `fromfront` are the pale
 *   ones at the beginning of a movement. First comes the place of the hip, then the angle of the trunk with, if
 *   need be, the roundness of the back, the angle of the head and the angle of the look. Angles are in degrees: 0
 *   points to the right, 90 up. Standing has its hip at y 55, sitting at 73, and lying at 88.
 * - Limbs: `A` and `L` are arm and leg of the near side (from the front: on the right of the drawing), `a` and `l` of
 *   the other. `A60,40` puts the hand there, `L50` puts the foot flat on the floor, `L50,86,-40` gives the angle of
 *   the foot too. `A-80/10` gives the angles of upper arm and forearm. `!` bends elbow or knee the other way. A limb
 *   that is left out coincides with that of the near side.
 * - Things: the names of `things.ts`. `curve` is a body part in a close-up, and `view` is the square to show.
 */
export const poses: Readonly<Record<string, string>> = {
  'bodyweight-squat': 'floor; from 50,55 90 A-80/-70 L50; to 38,74 55 A5/10 L50',
  'chair-squat': 'floor; chair 33; from 54,55 90 A-80/-70 L54; to 36,73 58 A0/5 L54; arrow 78,46 78,64',
  'goblet-squat': 'floor; from 50,55 90 L50; to 40,75 66 A59,60 L51; kettlebell 60,58',
  'barbell-back-squat': 'floor; barbell 46,53; from 50,55 90 L50; to 38,73 60 A-125/70 L50',
  'front-squat': 'floor; barbell 53,57; from 50,55 90 L50; to 39,75 72 A-18/165 L50',
  'split-squat': 'floor; from 49,61 90 L66 l29,86,-45; to 48,72 90 A50,67 L66 l28,86,-60; arrow 80,50 80,68',
  'rear-foot-elevated-split-squat':
    'floor; bench 6,30,77; from 46,59 86 L56 l25,73,180; to 46,70 76 A49,66 L58 l25,73,180',
  'wall-squat-hold': 'floor; wall 30,-1; to 37,73 90 A-70/-60 L56',
  'sumo-squat': 'floor; fromfront 50,61 90 L72 l28; front 50,74 90 A54,70 a46,70 L72 l28',
  'single-leg-squat-to-box': 'floor; box 18,42,77; from 53,55 90 L53; to 35,71 62 A5/5 L54 l-8/-2',
  'jump-squat': 'floor; from 42,66 62 A-120/-110 L50; to 50,47 88 A62/72 L-97/-93/-50; arrow 76,76 76,52',
  'mini-squat-decline':
    'floor; line 34,94.5 34,83 70,94.5; from 43,48 90 L43,83,-18; to 36,53 80 A-15/-5 L43,83,-18 l-70/-125',
  'forward-lunge': 'floor; from 32,55 90 L32; to 49,71 90 A51,67 L68 l31,86,-60; arrow 46,28 66,28',
  'reverse-lunge': 'floor; from 66,55 90 L66; to 48,71 90 A50,67 L66 l28,86,-60; arrow 52,28 32,28',
  'walking-lunge':
    'floor; from 30,71 90 L49 l11,86,-60; to 66,71 90 A-60/-30 a-110/-70 L85 l46,86,-60; arrow 38,34 56,34',
  'side-lunge': 'floor; fromfront 48,55 90 L52 l44; front 61,71 84 A66,58 a58,58 L71 l28; arrow 66,28 82,28',
  'step-up':
    'floor; box 54,88,84; from 47,57 80 L62,80.5,0 l46; to 62,45 90 A-60/-20 a-110/-60 L62,80.5,0 l-85/-110; arrow 84,70 84,50',
  'lateral-step-down':
    'floor; box 30,66,84; from 47,45 90 L-80/-80 l47,80.5,0; to 43,57 84 A-30/-20 L52,91,35 l47,80.5,0; arrow 80,46 80,62',
  'straight-leg-raise':
    'view 0,14; mat; from 50,88 180 L86,91; to 50,88 180 A-8/-5 L32/32 l66; arrow 92,86 88,70 -3',
  'quadriceps-set': 'view 0,10; mat; ring 53,90.5,3.6; to 36,88 110 A17.5,90.5 L71,91; arrow 53,62 53,78',
  'terminal-knee-extension':
    'floor; wall 92; line 40,73 44,76; band 46,73 92,73; from 41,57 88 L44; to 42,55 90 A-75/-65 L43 l36; arrow 64,64 50,64',
  'leg-press':
    'floor; pad 15,64 31,84 48,88; line 31,84 31,94.5; line 46,89 90,45; line 80,55 80,94.5; line 57,43 73,59; from 38,79 128 L55,67,135; to 38,79 128 A40,82 L61,53,135',
  'seated-knee-extension':
    'floor; pad 20,52 27,80 48,80; line 36,80 36,94.5; line 26,94.5 48,94.5; ring 66,66.5,3; from 36,73 100 L0/-90; to 36,73 100 A40,76 L0/2; arrow 66,92 78,80 -4',
  'hamstring-curl-lying':
    'floor; bench 28,84,76; ring 34,53,3; from 50,70 0 L180/180; to 50,70 0 A76,79 L180/100; arrow 12,62 22,50 4',
  'hamstring-slide':
    'view 0,14; floor; from 48,76 210,0,180 L64,91,40; to 48,80 202,0,180 A-8/-8 L80,91,70; pad 78,94.2 86,94.2; arrow 62,102 82,102',
  'nordic-hamstring':
    'floor; line 17,94.5 17,84 25,84 25,94.5; from 34,73 90 L-90/180/180; to 46,78 48 A-20/20 L228/180/180; arrow 48,40 64,50 5',
  'standing-heel-raise':
    'floor; wall 80; from 52,55 90 L52; to 53.6,50.5 90 A77,36 L53.6,86.5,-40; arrow 36,84 36,70',
  'single-leg-heel-raise':
    'floor; box 54,84,87; line 76,28 76,87; from 50,48 90 L50,84,20; to 51,43 90 A74,30 L51,79,-40 l-85/-150; arrow 28,82 28,66',
  'seated-heel-raise':
    'floor; chair 34; dumbbell 53,66,0; from 36,73 90 L54; to 36,73 90 A46,66 L53,86,-45; arrow 68,92 68,78',
  'toe-raise': 'floor; wall 32,-1; from 41,56 96 L51; to 41,56 96 A-95/-80 L51,91,45; arrow 70,92 66,80 3',
  'short-foot':
    'view 28,54,46; floor 30,72; curve 43,50 43,70 42.5,80 42,88 42,90; curve 42,91 51,83 59,90; curve 59,91 62,91 66,91; arrow 68,84 61,84; arrow 51,79 51,73',
  'ankle-band-eversion':
    'view 22,42,56; ring 46,85,2.6; band 49,85 66,82; front 56,46 90 L-90/-90/-60 l-128/-98/250; curve 59.4,82 63,85 67,89; pad 59.4,82 59.4,91; arrow 63,95 74,87 -2',
  'glute-bridge': 'view 0,14; mat; from 50,88 180 L66; to 50,75 206,0,180 A54,90 L66; arrow 50,62 50,50',
  'single-leg-bridge':
    'view 0,14; mat; from 50,88 180 L5/5 l66; to 50,75 206,0,180 A54,90 L6/6 l66; arrow 50,62 50,50',
  'hip-thrust': 'floor; bench 6,30,77; barbell 50,62; from 46,84 140 L67; to 50,71 180,0,150 A48,64 L67',
  'bridge-march': 'view 0,14; mat; to 50,75 206,0,180 A54,90 L72/-25 l66; arrow 86,82 86,66',
  'romanian-deadlift': 'floor; barbell 55,76; from 50,55 90 A-85/-85 L50; to 38,58 18 A55,75 L48',
  'single-leg-deadlift': 'floor; kettlebell 66,78; from 48,55 90 L48; to 47,56 8 A-90/-90 L176/176 l49',
  deadlift: 'floor; barbell 54,85,9.5; from 50,55 90 L50; to 36,72 40 A53,83 L49; arrow 84,80 84,52',
  'kettlebell-swing':
    'floor; from 38,60 25 A-150/-150 L48; to 48,55 92 A-2/0 L48; kettlebell 71,36,0; arrow 66,72 80,50 -4',
  'hip-hinge-with-stick': 'floor; line 28,55.7 70,31.5; from 50,55 90 L50; to 38,58 30 A55,40! a38,50 L48',
  clamshell:
    'line 4,96 16,62 98,62 86,96 4,96; front 49,78 180 A47,87 a180/170 L79,83 l79,83; band 63,66 63,88; arrow 79,66 73,58 -3',
  'side-lying-leg-raise':
    'line 2,96 14,66 98,66 86,96 2,96; front 48,80 180 A42,90 a180/170 L22/22 l-25/15; arrow 92,76 88,62 -2',
  'band-walk': 'floor; front 48,58 90 A52,58 a44,58 L60 l36; band 38,87 58,87; arrow 72,60 90,60',
  'copenhagen-adduction':
    'floor; bench 68,96,74; fromfront 50,74 178 l-18/-18; front 50,72 176 A46,62 a-90/180 L-1/0 l-6/-6',
  'adductor-squeeze':
    'line 6,26 94,26 94,88 6,88 6,26; ring 58,57,8.5; front 42,57 180 A-15/-10 a15/10 L25/-15 l-25/15; arrow 58,33 58,41; arrow 58,81 58,73',
  'standing-hip-flexion':
    'floor; band 66,76 52,90; to 46,55 90 A-110/-40 a-80/-70 L4/-88 l46; arrow 82,76 82,60',
  'dead-bug': 'view 0,14; mat; to 50,88 180 A160/165 a90/90 L95/0 l14/8',
  'bird-dog': 'view 0,8; mat; to 44,73 14 A8/8 L180/180 a64 l-90/180',
  'front-plank': 'view 0,14; mat; to 48,80.5 5 A-90/0 L12,84,-85',
  'plank-on-knees': 'view 0,14; mat; to 47,85 18 A-90/0 L199/165/165',
  'side-plank': 'view 0,14; mat; front 56,79 163 A90/90 a-90/180 L-16/-16 l-16/-16',
  'pallof-press': 'floor; wall 6,-1; band 7,45 48,45; front 50,55 90 A51,46 a49,46 L58 l42',
  'curl-up': 'view 0,14; mat; from 48,88 180 L84,91; to 48,88 167,1.5,142 A-18/-4 L84,91 l64',
  'reverse-crunch':
    'view 0,14; mat; from 52,88 180 L92/0; to 51,82 197,3,180 A53,90! L118/25; arrow 78,78 66,62 5',
  'hollow-hold': 'view 0,14; mat; to 50,88 166,2,160 A162/162 L14/12',
  'russian-twist':
    'view 0,10; floor; ring 58,78,6; to 42,87 122 A54,77.5 L68; arrow 74,54 54,48 5; arrow 54,48 74,54 -5',
  'back-extension':
    'floor; pad 43,74 55,62; line 48,68 48,94.5; line 28,94.5 66,94.5; line 48,84 18,91; ring 18,79,2.6; from 46,58 -50 L225/225; to 46,58 42 A-50/160 L225/225; arrow 82,70 78,46 -6',
  'prone-press-up': 'view 0,14; mat; from 50,88 0 A66 L14,91,180; to 50,88 50,-3,70 A76 L14,91,180',
  'pelvic-tilt': 'view 10,30,70; mat 0,100; to 48,88 180 A-8/-5 L64; arrow 58,66 42,70 6; arrow 32,66 32,78',
  'farmers-walk':
    'floor; kettlebell 55,60; kettlebell 44,60; to 50,56 90 A-78/-78 a-102/-102 L61 l38,86,-55; arrow 72,40 90,40',
  'suitcase-carry': 'floor; kettlebell 62,60; front 50,55 90 A-82/-82 a-110/-100 L54 l45,89,265',
  'mountain-climber': 'view 0,14; floor; to 46,73 17.7 A66 L-8/203 l12,84,-85; arrow 34,100 54,100',
  'push-up': 'view 0,14; floor; from 46,73 17.7 A66 L12,84,-85; to 48,81.5 4 A66 L12,84,-85',
  'incline-push-up':
    'floor; bench 66,94,73; from 41,64 36 A71,69 L12,85,-80; to 44,68.7 27 A71,69 L12,85,-80',
  'bench-press':
    'floor; bench 12,58,76; barbell 33,45; from 52,70 180 A37,60 L66; to 52,70 180 A33,46 L66; arrow 52,60 52,44',
  'dumbbell-chest-press':
    'floor; bench 12,58,76; from 52,70 180 A37,62 L66; to 52,70 180 A33,47 L66; dumbbell 33,46,0; arrow 48,62 48,46',
  'bent-over-row':
    'floor; barbell 52,64; from 38,58 15 A57,76 L48; to 38,58 15 A52,63 L48; arrow 78,78 78,62',
  'one-arm-dumbbell-row':
    'floor; bench 22,82,77; to 40,56 8 A54,63 a64,73.5 L36 l-75/180; dumbbell 54,65,8; arrow 84,68 84,52',
  'seated-cable-row':
    'floor; bench 22,46,88; line 72,66 72,92; line 44,66 92,66; ring 92,66,3; line 92,69 92,94.5; from 34,81 82 A60,66 L68,80,80; to 34,81 95 A44,66 L68,80,80',
  'band-row': 'floor; wall 92; band 52,44 92,42; from 40,55 90 A-10/-5 L42; to 40,55 92 A50,44 L44 l34',
  'inverted-row':
    'floor; ring 33,56,2.4; line 33,58 33,94.5; from 52.4,83 172 A33,57 L88,88; to 54.4,75 159 A33,57 L88,88',
  'rowing-machine':
    'floor; line 12,88 92,88; pad 36,85 48,85; line 76,72 70,88; ring 84,74,8; line 47,66 84,70; from 58,79 70 A78,68 L72,80,60; to 41,79 106 A47,67 L72,80,60',
  'pull-up':
    'view 0,3; line 16,20 84,20; fromfront 50,57 90 A65,20 a35,20 L-88/-92/-60 l-92/-88/240; front 50,43 90 A66,21 a34,21 L-88/-92/-60 l-92/-88/240; arrow 88,66 88,44',
  'lat-pulldown':
    'floor; line 47,6 84,6 84,94.5; line 47,6 47,54; line 41,51 53,57; pad 32,80 50,80; ring 55,66,3; line 42,80 42,94.5; from 40,73 92 A47,30 L58; to 40,73 98 A47,54 L58',
  'overhead-press':
    'floor; bar 50,14,34; fromfront 50,55 90 A63,38 a37,38 L56 l44; front 50,55 90 A67,15 a33,15 L56 l44; arrow 86,46 86,28',
  'dumbbell-shoulder-press':
    'floor; chair 38; from 40,73 90 A48,50 L58; to 40,73 90 A43,31 L58; dumbbell 43,30,0; arrow 60,52 60,36',
  'lateral-raise':
    'floor; fromfront 50,55 90 A-80/-80 a-100/-100 L56 l44; front 50,55 90 A5/0 a175/180 L56 l44; dumbbell 81,34,90; dumbbell 19,34,90; arrow 76,56 84,44 -3; arrow 24,56 16,44 3',
  'biceps-curl':
    'floor; fromfront 50,55 90 A-80/-85 a-100/-95 L56 l44; front 50,55 90 A-80/78 a-100/102 L56 l44; dumbbell 63,35,0; dumbbell 37,35,0',
  'hammer-curl':
    'floor; from 48,55 90 A-85/-80 L48; to 48,55 90 A-92/25 L48; dumbbell 60,42,115; arrow 66,58 72,44 -4',
  'triceps-pushdown':
    'floor; line 64,6 88,6 88,94.5; line 64,6 47,57; from 42,55 86 A-105/40 L42; to 42,55 86 A-100/-62 L42; arrow 70,44 66,60 3',
  'bench-dip': 'floor; bench 10,38,75; from 45,69 90 A36,71 L76,87; to 46,81 90 A36,71 L76,87',
  'wrist-extension-eccentric':
    'view 8,32,62; chair 20; floor; line 28,64.5 47,64.5; line 42,64.5 42,94.5; to 22,73 86 A-36/0 a-5/-22 L38; curve 45.4,59.8 50,58 53,62; dumbbell 54,62.5,70; arrow 62,54 62,68 3',
  'grip-squeeze':
    'view 20,22,60; to 40,79 90 A-60/25 a-95/-95; ring 59.5,66,5.4; arrow 60,46 60,56; arrow 60,81 60,76',
  'external-rotation-band':
    'floor; wall 6,-1; band 7,47 70,47; fromfront 50,55 90 A-90/180; front 50,55 90 A-88/0 a-100/-95 L56 l44; arrow 62,62 80,58 -4',
  'internal-rotation-band':
    'floor; wall 94; band 46,47 94,47; fromfront 50,55 90 A-90/0; front 50,55 90 A-90/180 a-100/-95 L56 l44; arrow 80,58 62,62 4',
  'scapular-push-up':
    'view 0,8; floor; from 46,73 17.7,-2.5 A66 L12,84,-85; to 46,73 17.7,3 A66 L12,84,-85; arrow 58,56 58,42',
  'wall-slide': 'floor; wall 65; from 48,55 90 A0/88 L48; to 49,55 90 A25/88 L48; arrow 82,40 82,20',
  'prone-y-raise':
    'floor; bench 12,64,74; from 44,68 0 A-90/-90 L180/180; to 44,68 0 A22/22 L180/180; arrow 80,86 88,70 -4',
  'band-pull-apart':
    'floor; band 80,36 58,42; band 20,36 42,42; front 50,55 90 A12/-14 a168/194 L56 l44; arrow 84,46 96,46; arrow 16,46 4,46',
  'face-pull':
    'floor; line 92,94.5 92,8; ring 92,22,3; line 37,22 92,22; from 40,55 90 A25/25 L42; to 40,55 92 A165/55 L44 l34',
  pendulum: 'floor; table 64,96,63; to 36,57 32 A-90/-90 a72,60 L44 l30; arrow 44,76 62,76 -10',
  'table-slide':
    'floor; chair 20; table 42,96,63; pad 54,61.5 64,61.5; from 22,73 88 A46,59 L40; to 22,73 55 A57,59.5 L40; arrow 66,48 82,48',
  'shoulder-flexion-stick':
    'view 0,14; mat; line 2,79 20,69; from 52,88 180 A80/80 L68; to 52,88 180 A150/150 L68; arrow 34,58 14,64 5',
  'chin-tuck':
    'view 14,12,60; chair 34; from 36,73 90,0,55,0 L54; to 36,73 90,0,98,0 A48,70 L54; arrow 66,42 54,42',
  'neck-isometric-side':
    'view 25,8,49; front 50,55 90 A15/150 a-98/-92; arrow 34,24 42,24; arrow 71.5,24 65,24',
  'neck-rotation': 'view 23,2,54; front 50,55 90,0,90,0 A-82/-88 a-98/-92; arrow 41,14 59,14 5',
  'shoulder-shrug':
    'floor; front 50,55 90 A-82/-85 a-98/-95 L56 l44; dumbbell 61,60,0; dumbbell 39,60,0; arrow 68,36 68,22; arrow 32,36 32,22',
  'cat-camel':
    'view 0,8; mat; from 38,73 14,-4,40 A59 L-90/180; to 38,73 14,7,-50 A59 L-90/180; arrow 48,50 48,38',
  'open-book':
    'line 6,26 94,26 94,88 6,88 6,26; fromfront 46,56 180 A-76/-76; front 46,56 180,0,180,60 A92/92 a-93/-93 L-50/10 l-50/10; arrow 52,82 48,32 -12',
  'thoracic-extension-roller': 'view 0,14; mat; ring 40,89,5.5; to 58,88 163,-3,205 A26,79 L74',
  'childs-pose': 'view 0,14; mat; to 31,80 -6,4,-25 A73.5,90.5 L-37/180/180',
  'hip-flexor-stretch':
    'floor; from 42,73 90 L-90/180 l62; to 48,74.5 94 A50,70 L246/180/180 l64; arrow 62,60 74,60',
  'hamstring-stretch-strap': 'view 0,14; mat; line 54,52 38,72; to 50,88 180 A40,71 L82/82 l86,91',
  'calf-stretch-wall': 'floor; wall 80; to 47,61 72 A76,42 L27 l60',
  'quadriceps-stretch': 'floor; to 50,55 90 A42,56 L-95/110 a-60/-50 l50',
  'piriformis-stretch': 'view 0,14; mat; to 50,88 180 A43,76 L47,69! l100/45; arrow 38,62 30,68',
  'adductor-rock-back':
    'view 0,20; line 2,108 14,84 98,84 86,108 2,108; from 44,73 14 A68; to 34,79 10 A68 L-42/-42 l-35/180; arrow 44,60 30,60',
  'deep-squat-hold': 'floor; line 76,94.5 76,8 96,8; to 42,82 68 A73,60 L54',
  'ankle-rock': 'floor; wall 73; from 50,63 88 L56; to 54,66 86 A69,46 L57 l34,86,-50; arrow 56,70 66,72',
  'doorway-chest-stretch':
    'floor; line 74,94.5 74,6 96,6; front 52,55 90 A0/90 a-105/-95 L58 l46; arrow 48,30 34,34 -4',
  'lumbar-rotation':
    'line 6,26 94,26 94,90 6,90 6,26; fromfront 46,56 180 L50/-10 l50/-10; front 46,56 180 A90/90 a-90/-90 L-50/10 l-50/10; arrow 84,44 84,66 4',
  'ninety-ninety-switch':
    'view 0,6; line 2,100 14,62 98,62 86,100 2,100; fromfront 50,70 90 L-6/80 l-108/0; front 50,70 90 A-55/-80 a-125/-100 L-72/180 l186/100; arrow 40,98 60,98 -3',
  'nerve-glide-sciatic':
    'floor; chair 32; from 34,73 84,4,30 L52; to 34,73 84,4,85 A31,76 L2/-4 l52; arrow 74,88 80,74 -3; arrow 56,50 54,36 -3',
  'single-leg-stand':
    'floor; line 71,50 71,94.5; line 71,80 89,80 89,94.5; to 42,55 90 A-60/-20 a-110/-100 L-30/-130 l42',
  'tandem-stand': 'floor; table 70,96,60; to 44,55.4 90 A-70/-40 a-100/-100 L48 l38.5',
  'tandem-walk':
    'view 0,3; floor; line 10,98.5 17,98.5; line 21,98.5 28,98.5; line 32,98.5 39,98.5; line 43,98.5 50,98.5; to 46,55.6 90 A-60/-40 a-120/-110 L54,89,25 l42; arrow 70,40 88,40',
  'star-reach':
    'view 0,8; line 10,96 90,96; line 22,104 72,88; line 22,88 72,104; front 46,61 92 A15/20 a165/160 L72,89 l46',
  'balance-board':
    'floor; line 28,87 72,87; ring 50,90.7,3.6; front 50,48 90 A-30/-20 a210/200 L57,83.5 l43,83.5; arrow 80,88 80,80; arrow 20,80 20,88',
  'weight-shift':
    'floor; fromfront 50,56 90 L62 l38; front 58,55.5 90 A-75/-85 a-105/-95 L62 l40,88; arrow 46,8 62,8',
  'sit-to-stand': 'floor; chair 28; from 34,73 62 A-60/100 L52; to 52,55 90 A-55/120 L52; arrow 78,66 78,44',
  'marching-on-the-spot': 'floor; to 46,55 90 A-130/-50 a-50/40 L5/-95 l46; arrow 84,76 84,58',
  'brisk-walk': 'floor; to 48,56.5 86 A-120/-75 a-60/0 L62,89,25 l35,86,-55; arrow 72,36 92,36',
  'stationary-bike':
    'floor; line 33,60 47,60; line 40,60 52,81 74,83.5 66,48 60,46; ring 74,83.5,10; ring 52,81,5; line 38,94.5 52,81; to 40,53 64 A62,46 L54,86,0 l50,75,-10',
  'cross-trainer':
    'floor; ring 80,82,11.5; line 58,88 80,82; line 66,30 62,82; line 28,86 80,82; to 44,50 88 A64,40 a58,34 L54,84,0 l34,80,-20',
  'treadmill-interval':
    'floor; line 10,91 80,82 86,44 78,42; line 12,94.5 12,91; line 80,82 80,94.5; to 46,50 82 A-125/-25 a-45/50 L55,81,8 l-115/175',
  'jumping-jack':
    'floor; fromfront 50,55 90 A-82/-85 a-98/-95 L53 l47; front 50,57.5 90 A60,14 a40,14 L68 l32',
  'skipping-rope': 'floor; arc 79,41 21,41 54; front 50,51 90 A-40/-5 a220/185 L-86/-94/-60 l-94/-86/240',
  burpee: 'floor; from 42,73 17.7 A62 L8,84,-85; to 66,48 88 A70/75 L-95/-95/-50; arrow 88,62 88,36',
  'box-jump':
    'floor; box 48,86,76; from 20,66 60 A-130/-120 L26; to 58,54 60 A5/15 L65,72.5,0; arrow 30,34 50,26 4',
  'diaphragmatic-breathing':
    'view 0,14; mat; arc 40,83 58,83 5; to 50,88 180 A-4/28 a-10/110 L66; arrow 48,70 48,58',
}
