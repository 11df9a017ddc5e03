import { NoThread } from './thread.tsx'

/** `/org/{slug}/c`: the list, and nothing open beside it. */
export default NoThread
