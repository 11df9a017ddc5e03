import type { FlowNodeType } from '#shared/flows/graph.ts'

/** Line drawings on a 24 px grid that only these pages need. */
const drawings: Readonly<Record<FlowNodeType, string>> = {
  start: 'M8 5.5v13L18.500 12Z',
  message: 'M21 12a8 8 0 0 1-11.6 7.100L4 20l1-4.600A8 8 0 1 1 21 12Z',
  template:
    'M6 3.500h9l4 4V20a.5.5 0 0 1-.5.5h-12.500A.5.5 0 0 1 5.500 20V4a.5.5 0 0 1 .5-.5ZM15 3.500v4h4M8.500 12h7M8.500 15.500h5',
  question:
    'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9.500 9.500a2.5 2.5 0 1 1 3.600 2.200c-.8.400-1.100.9-1.100 1.800M12 16.500v.2',
  buttons:
    'M6 4h12a2 2 0 0 1 2 2v2a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2ZM6 14h12a2 2 0 0 1 2 2v2a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-2a2 2 0 0 1 2-2Z',
  condition: 'M12 3v5m0 0-6 5v8m6-13 6 5v8M3.500 18.500 6 21l2.500-2.500M15.500 18.500 18 21l2.500-2.500',
  set: 'M8 4H7a2 2 0 0 0-2 2v4l-2 2 2 2v4a2 2 0 0 0 2 2h1M16 4h1a2 2 0 0 1 2 2v4l2 2-2 2v4a2 2 0 0 1-2 2h-1M9.500 10h5M9.500 14h5',
  tag: 'M4 5a1 1 0 0 1 1-1h7l8 8-8 8-8-8ZM8 8.200v.2',
  wait: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7v5l3 2',
  http: 'M7 8a5 5 0 0 1 9.600-1.500A4.500 4.500 0 0 1 17.500 15.500M7 8a4 4 0 0 0-.5 7.900M12 12v9m-3-3 3 3 3-3',
  goto: 'M5 5v8a3 3 0 0 0 3 3h11m-4-4 4 4-4 4',
  subflow: 'M4 4h7v7H4ZM13 13h7v7h-7ZM11 7.500h5.500V13',
  handoff:
    'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM2.500 20c.8-4 3.200-6 6.500-6 1.500 0 2.800.4 3.800 1.200M14 18h7m-3-3 3 3-3 3',
  archive: 'M4 8h16v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1ZM3 4h18v4H3ZM10 12h4',
  end: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9 9h6v6H9Z',
}

/** A kind of step; colours by what it does come from the class around it. */
export const NodeIcon = ({ type }: { readonly type: FlowNodeType }) => (
  <span className={`flow-kind flow-kind-${type}`}>
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[type]} />
    </svg>
  </span>
)
