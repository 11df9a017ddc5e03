import { NotificationSettings } from './notifications/settings.tsx'

/** What rooms let a person choose, for the profile page. */
export const PersonSettings = () => <NotificationSettings />
