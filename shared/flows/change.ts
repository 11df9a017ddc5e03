/** What became of a flow. `readdressed`: programs begin it elsewhere; `moved`: it stands elsewhere in the order. */
export type FlowChange = 'created' | 'saved' | 'published' | 'paused' | 'resumed' | 'readdressed' | 'moved' | 'deleted'
