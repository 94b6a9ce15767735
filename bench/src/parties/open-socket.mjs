// The least that any hand-off costs: Node with node:net, one failed connection, and the end.
import { connect } from 'node:net'

connect('/a/socket/that/is/not/there').on('error', () => process.exit(0))
