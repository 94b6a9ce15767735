export { contactSchema, personFromContact } from './contact.ts';
export { payloadSchema } from './payload.ts';
export { userSchema } from './user.ts';
export { workoutSchema } from './workout.ts';
