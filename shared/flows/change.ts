/**
 * The kind of change to a flow. `readdressed`: its webhook address was replaced; `moved`: its position in the order
 * changed.
 */
export type FlowChange = 'created' | 'saved' | 'published' | 'paused' | 'resumed' | 'readdressed' | 'moved' | 'deleted'
