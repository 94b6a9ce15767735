export { type Contact, contactSchema, personFromContact } from './contact.ts'
export { type Payload, type PayloadInput, payloadSchema } from './payload.ts'
export { type User, userSchema } from './user.ts'
export { type Workout, workoutSchema } from './workout.ts'
