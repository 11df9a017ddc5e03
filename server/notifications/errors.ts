import { defineErrors } from '../errors.ts'

export const notificationErrors = defineErrors('NOTIFICATIONS', { NOT_FOUND: 404 })
