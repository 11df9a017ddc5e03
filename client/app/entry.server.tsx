import { createPages } from './pages.tsx'
import { routes } from './routes/routes.tsx'

/** Used by `server/web` to render pages. */
export const pages = createPages(routes)
