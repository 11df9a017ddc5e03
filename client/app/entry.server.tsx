import { createPages } from './pages.tsx'
import { routes } from './routes.tsx'

/** The way by which `server/web` renders pages. */
export const pages = createPages(routes)
