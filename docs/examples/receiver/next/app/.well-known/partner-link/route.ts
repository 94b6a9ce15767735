import { receiver } from '../../../receiver'

export const GET = (request: Request) => receiver.describe(request)
