import './reference.css'
import { offerCopies } from './copy.ts'
import { offerLanguages } from './languages.ts'
import { markPlace } from './place.ts'
import { fillIn } from './samples.ts'
import { offerSearch } from './search.ts'
import { offerTrying } from './try-it.ts'

/** The page can be read as it came; this is what needs a program. */
fillIn()
offerLanguages()
offerCopies()
offerSearch()
offerTrying(fillIn)
markPlace()
