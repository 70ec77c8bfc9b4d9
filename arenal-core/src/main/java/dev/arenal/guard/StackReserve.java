package dev.arenal.guard;

/**
 * Makes sure of the stack before a critical section is entered: what the JDK's reserved stack areas
 * (JEP 270) do for {@code java.util.concurrent}, for a library outside of {@code java.base}.
 *
 * <p>A {@link StackOverflowError} is thrown where a method is entered. In the middle of a critical
 * section it leaves a structure half changed. So an operation that is about to change something
 * descends first, as deep as it may have to go, and comes back: if the stack does not reach, the
 * error is thrown there, and nothing has changed. It does so once, before its first change, and not
 * again in the middle: from farther down less is left, and that is enough. {@link #isThere} may be
 * asked anywhere.
 *
 * <p>A frame has room for the values that are needed after a call. So a method in which 400 of them
 * are takes three kilobytes where it is compiled and six in the interpreter, whether or not it
 * makes that call. Compilers leave calls out that were never made; hence the call is made once in a
 * while. Measured by a recursion that asks in each frame, in all compilers: 19 KiB are left, in the
 * interpreter 38. Where that is not enough, {@link Damage} is.
 */
public final class StackReserve {
  private static final int FRAMES = 6;

  /** For a path of few calls, none of which enters the kernel. */
  private static final int SHORT_FRAMES = 2;

  /** The interval of the call, in turns; a power of two. */
  private static final int TURNS_A_CALL = 256;

  /**
   * One counter for each of sixteen groups of threads, a cache line apart; increments may be lost.
   */
  private static final int[] TURNS = new int[16 * 16];

  /**
   * Has no meaning. Volatile, so that no compiler reads it once for all, or after the call; a
   * field, since the elements of an array make compiled code ten times as large.
   */
  private static volatile long anything;

  @SuppressWarnings("unused") // so that all values are needed
  private static long anySum;

  static {
    // Once, so that all it needs is linked. Not so often that it is compiled: with its frame that
    // takes a compiler 30 ms, which a program that ends soon would pay for nothing.
    try {
      ensure();
    } catch (VirtualMachineError e) { // of a thread that has not come by FirstUse
      anything = 0;
    }
  }

  private StackReserve() {}

  /**
   * Returns if a critical section may be entered: if 19 KiB of stack or more are left. Costs some
   * 18 ns, so it is not for a fast path.
   *
   * @throws StackOverflowError if they are not
   */
  public static void ensure() {
    int group = ((int) Thread.currentThread().threadId() & 15) << 4;
    descend(FRAMES, TURNS[group]++);
  }

  /**
   * As {@link #ensure}, for a fast path: 7 KiB or more are left. Costs some 6 ns. Before a thread
   * goes on to anything that is not just a few calls, it asks {@link #isThere}.
   *
   * @throws StackOverflowError if they are not
   */
  public static void ensureShort() {
    int group = ((int) Thread.currentThread().threadId() & 15) << 4;
    descend(SHORT_FRAMES, TURNS[group]++);
  }

  /** Whether {@link #ensure} returns: for a critical section that can do without the next step. */
  public static boolean isThere() {
    try {
      ensure();
      return true;
    } catch (VirtualMachineError e) {
      return false; // an OutOfMemoryError: the Java heap had no room for a StackOverflowError
    }
  }

  /** Whether {@link #ensureShort} returns. */
  public static boolean isThereShort() {
    try {
      ensureShort();
      return true;
    } catch (VirtualMachineError e) {
      return false; // as above
    }
  }

  /** The number of values is what makes the frame large. */
  private static void descend(int frames, int turn) {
    if (frames > 1) {
      descend(frames - 1, turn);
    } else if ((turn & (TURNS_A_CALL - 1)) == 0) {
      long v0 = anything;
      long v1 = anything;
      long v2 = anything;
      long v3 = anything;
      long v4 = anything;
      long v5 = anything;
      long v6 = anything;
      long v7 = anything;
      long v8 = anything;
      long v9 = anything;
      long v10 = anything;
      long v11 = anything;
      long v12 = anything;
      long v13 = anything;
      long v14 = anything;
      long v15 = anything;
      long v16 = anything;
      long v17 = anything;
      long v18 = anything;
      long v19 = anything;
      long v20 = anything;
      long v21 = anything;
      long v22 = anything;
      long v23 = anything;
      long v24 = anything;
      long v25 = anything;
      long v26 = anything;
      long v27 = anything;
      long v28 = anything;
      long v29 = anything;
      long v30 = anything;
      long v31 = anything;
      long v32 = anything;
      long v33 = anything;
      long v34 = anything;
      long v35 = anything;
      long v36 = anything;
      long v37 = anything;
      long v38 = anything;
      long v39 = anything;
      long v40 = anything;
      long v41 = anything;
      long v42 = anything;
      long v43 = anything;
      long v44 = anything;
      long v45 = anything;
      long v46 = anything;
      long v47 = anything;
      long v48 = anything;
      long v49 = anything;
      long v50 = anything;
      long v51 = anything;
      long v52 = anything;
      long v53 = anything;
      long v54 = anything;
      long v55 = anything;
      long v56 = anything;
      long v57 = anything;
      long v58 = anything;
      long v59 = anything;
      long v60 = anything;
      long v61 = anything;
      long v62 = anything;
      long v63 = anything;
      long v64 = anything;
      long v65 = anything;
      long v66 = anything;
      long v67 = anything;
      long v68 = anything;
      long v69 = anything;
      long v70 = anything;
      long v71 = anything;
      long v72 = anything;
      long v73 = anything;
      long v74 = anything;
      long v75 = anything;
      long v76 = anything;
      long v77 = anything;
      long v78 = anything;
      long v79 = anything;
      long v80 = anything;
      long v81 = anything;
      long v82 = anything;
      long v83 = anything;
      long v84 = anything;
      long v85 = anything;
      long v86 = anything;
      long v87 = anything;
      long v88 = anything;
      long v89 = anything;
      long v90 = anything;
      long v91 = anything;
      long v92 = anything;
      long v93 = anything;
      long v94 = anything;
      long v95 = anything;
      long v96 = anything;
      long v97 = anything;
      long v98 = anything;
      long v99 = anything;
      long v100 = anything;
      long v101 = anything;
      long v102 = anything;
      long v103 = anything;
      long v104 = anything;
      long v105 = anything;
      long v106 = anything;
      long v107 = anything;
      long v108 = anything;
      long v109 = anything;
      long v110 = anything;
      long v111 = anything;
      long v112 = anything;
      long v113 = anything;
      long v114 = anything;
      long v115 = anything;
      long v116 = anything;
      long v117 = anything;
      long v118 = anything;
      long v119 = anything;
      long v120 = anything;
      long v121 = anything;
      long v122 = anything;
      long v123 = anything;
      long v124 = anything;
      long v125 = anything;
      long v126 = anything;
      long v127 = anything;
      long v128 = anything;
      long v129 = anything;
      long v130 = anything;
      long v131 = anything;
      long v132 = anything;
      long v133 = anything;
      long v134 = anything;
      long v135 = anything;
      long v136 = anything;
      long v137 = anything;
      long v138 = anything;
      long v139 = anything;
      long v140 = anything;
      long v141 = anything;
      long v142 = anything;
      long v143 = anything;
      long v144 = anything;
      long v145 = anything;
      long v146 = anything;
      long v147 = anything;
      long v148 = anything;
      long v149 = anything;
      long v150 = anything;
      long v151 = anything;
      long v152 = anything;
      long v153 = anything;
      long v154 = anything;
      long v155 = anything;
      long v156 = anything;
      long v157 = anything;
      long v158 = anything;
      long v159 = anything;
      long v160 = anything;
      long v161 = anything;
      long v162 = anything;
      long v163 = anything;
      long v164 = anything;
      long v165 = anything;
      long v166 = anything;
      long v167 = anything;
      long v168 = anything;
      long v169 = anything;
      long v170 = anything;
      long v171 = anything;
      long v172 = anything;
      long v173 = anything;
      long v174 = anything;
      long v175 = anything;
      long v176 = anything;
      long v177 = anything;
      long v178 = anything;
      long v179 = anything;
      long v180 = anything;
      long v181 = anything;
      long v182 = anything;
      long v183 = anything;
      long v184 = anything;
      long v185 = anything;
      long v186 = anything;
      long v187 = anything;
      long v188 = anything;
      long v189 = anything;
      long v190 = anything;
      long v191 = anything;
      long v192 = anything;
      long v193 = anything;
      long v194 = anything;
      long v195 = anything;
      long v196 = anything;
      long v197 = anything;
      long v198 = anything;
      long v199 = anything;
      long v200 = anything;
      long v201 = anything;
      long v202 = anything;
      long v203 = anything;
      long v204 = anything;
      long v205 = anything;
      long v206 = anything;
      long v207 = anything;
      long v208 = anything;
      long v209 = anything;
      long v210 = anything;
      long v211 = anything;
      long v212 = anything;
      long v213 = anything;
      long v214 = anything;
      long v215 = anything;
      long v216 = anything;
      long v217 = anything;
      long v218 = anything;
      long v219 = anything;
      long v220 = anything;
      long v221 = anything;
      long v222 = anything;
      long v223 = anything;
      long v224 = anything;
      long v225 = anything;
      long v226 = anything;
      long v227 = anything;
      long v228 = anything;
      long v229 = anything;
      long v230 = anything;
      long v231 = anything;
      long v232 = anything;
      long v233 = anything;
      long v234 = anything;
      long v235 = anything;
      long v236 = anything;
      long v237 = anything;
      long v238 = anything;
      long v239 = anything;
      long v240 = anything;
      long v241 = anything;
      long v242 = anything;
      long v243 = anything;
      long v244 = anything;
      long v245 = anything;
      long v246 = anything;
      long v247 = anything;
      long v248 = anything;
      long v249 = anything;
      long v250 = anything;
      long v251 = anything;
      long v252 = anything;
      long v253 = anything;
      long v254 = anything;
      long v255 = anything;
      long v256 = anything;
      long v257 = anything;
      long v258 = anything;
      long v259 = anything;
      long v260 = anything;
      long v261 = anything;
      long v262 = anything;
      long v263 = anything;
      long v264 = anything;
      long v265 = anything;
      long v266 = anything;
      long v267 = anything;
      long v268 = anything;
      long v269 = anything;
      long v270 = anything;
      long v271 = anything;
      long v272 = anything;
      long v273 = anything;
      long v274 = anything;
      long v275 = anything;
      long v276 = anything;
      long v277 = anything;
      long v278 = anything;
      long v279 = anything;
      long v280 = anything;
      long v281 = anything;
      long v282 = anything;
      long v283 = anything;
      long v284 = anything;
      long v285 = anything;
      long v286 = anything;
      long v287 = anything;
      long v288 = anything;
      long v289 = anything;
      long v290 = anything;
      long v291 = anything;
      long v292 = anything;
      long v293 = anything;
      long v294 = anything;
      long v295 = anything;
      long v296 = anything;
      long v297 = anything;
      long v298 = anything;
      long v299 = anything;
      long v300 = anything;
      long v301 = anything;
      long v302 = anything;
      long v303 = anything;
      long v304 = anything;
      long v305 = anything;
      long v306 = anything;
      long v307 = anything;
      long v308 = anything;
      long v309 = anything;
      long v310 = anything;
      long v311 = anything;
      long v312 = anything;
      long v313 = anything;
      long v314 = anything;
      long v315 = anything;
      long v316 = anything;
      long v317 = anything;
      long v318 = anything;
      long v319 = anything;
      long v320 = anything;
      long v321 = anything;
      long v322 = anything;
      long v323 = anything;
      long v324 = anything;
      long v325 = anything;
      long v326 = anything;
      long v327 = anything;
      long v328 = anything;
      long v329 = anything;
      long v330 = anything;
      long v331 = anything;
      long v332 = anything;
      long v333 = anything;
      long v334 = anything;
      long v335 = anything;
      long v336 = anything;
      long v337 = anything;
      long v338 = anything;
      long v339 = anything;
      long v340 = anything;
      long v341 = anything;
      long v342 = anything;
      long v343 = anything;
      long v344 = anything;
      long v345 = anything;
      long v346 = anything;
      long v347 = anything;
      long v348 = anything;
      long v349 = anything;
      long v350 = anything;
      long v351 = anything;
      long v352 = anything;
      long v353 = anything;
      long v354 = anything;
      long v355 = anything;
      long v356 = anything;
      long v357 = anything;
      long v358 = anything;
      long v359 = anything;
      long v360 = anything;
      long v361 = anything;
      long v362 = anything;
      long v363 = anything;
      long v364 = anything;
      long v365 = anything;
      long v366 = anything;
      long v367 = anything;
      long v368 = anything;
      long v369 = anything;
      long v370 = anything;
      long v371 = anything;
      long v372 = anything;
      long v373 = anything;
      long v374 = anything;
      long v375 = anything;
      long v376 = anything;
      long v377 = anything;
      long v378 = anything;
      long v379 = anything;
      long v380 = anything;
      long v381 = anything;
      long v382 = anything;
      long v383 = anything;
      long v384 = anything;
      long v385 = anything;
      long v386 = anything;
      long v387 = anything;
      long v388 = anything;
      long v389 = anything;
      long v390 = anything;
      long v391 = anything;
      long v392 = anything;
      long v393 = anything;
      long v394 = anything;
      long v395 = anything;
      long v396 = anything;
      long v397 = anything;
      long v398 = anything;
      long v399 = anything;
      change(turn);
      anySum =
          v0 + v1 + v2 + v3 + v4 + v5 + v6 + v7 + v8 + v9 + v10 + v11 + v12 + v13 + v14 + v15 + v16
              + v17 + v18 + v19 + v20 + v21 + v22 + v23 + v24 + v25 + v26 + v27 + v28 + v29 + v30
              + v31 + v32 + v33 + v34 + v35 + v36 + v37 + v38 + v39 + v40 + v41 + v42 + v43 + v44
              + v45 + v46 + v47 + v48 + v49 + v50 + v51 + v52 + v53 + v54 + v55 + v56 + v57 + v58
              + v59 + v60 + v61 + v62 + v63 + v64 + v65 + v66 + v67 + v68 + v69 + v70 + v71 + v72
              + v73 + v74 + v75 + v76 + v77 + v78 + v79 + v80 + v81 + v82 + v83 + v84 + v85 + v86
              + v87 + v88 + v89 + v90 + v91 + v92 + v93 + v94 + v95 + v96 + v97 + v98 + v99 + v100
              + v101 + v102 + v103 + v104 + v105 + v106 + v107 + v108 + v109 + v110 + v111 + v112
              + v113 + v114 + v115 + v116 + v117 + v118 + v119 + v120 + v121 + v122 + v123 + v124
              + v125 + v126 + v127 + v128 + v129 + v130 + v131 + v132 + v133 + v134 + v135 + v136
              + v137 + v138 + v139 + v140 + v141 + v142 + v143 + v144 + v145 + v146 + v147 + v148
              + v149 + v150 + v151 + v152 + v153 + v154 + v155 + v156 + v157 + v158 + v159 + v160
              + v161 + v162 + v163 + v164 + v165 + v166 + v167 + v168 + v169 + v170 + v171 + v172
              + v173 + v174 + v175 + v176 + v177 + v178 + v179 + v180 + v181 + v182 + v183 + v184
              + v185 + v186 + v187 + v188 + v189 + v190 + v191 + v192 + v193 + v194 + v195 + v196
              + v197 + v198 + v199 + v200 + v201 + v202 + v203 + v204 + v205 + v206 + v207 + v208
              + v209 + v210 + v211 + v212 + v213 + v214 + v215 + v216 + v217 + v218 + v219 + v220
              + v221 + v222 + v223 + v224 + v225 + v226 + v227 + v228 + v229 + v230 + v231 + v232
              + v233 + v234 + v235 + v236 + v237 + v238 + v239 + v240 + v241 + v242 + v243 + v244
              + v245 + v246 + v247 + v248 + v249 + v250 + v251 + v252 + v253 + v254 + v255 + v256
              + v257 + v258 + v259 + v260 + v261 + v262 + v263 + v264 + v265 + v266 + v267 + v268
              + v269 + v270 + v271 + v272 + v273 + v274 + v275 + v276 + v277 + v278 + v279 + v280
              + v281 + v282 + v283 + v284 + v285 + v286 + v287 + v288 + v289 + v290 + v291 + v292
              + v293 + v294 + v295 + v296 + v297 + v298 + v299 + v300 + v301 + v302 + v303 + v304
              + v305 + v306 + v307 + v308 + v309 + v310 + v311 + v312 + v313 + v314 + v315 + v316
              + v317 + v318 + v319 + v320 + v321 + v322 + v323 + v324 + v325 + v326 + v327 + v328
              + v329 + v330 + v331 + v332 + v333 + v334 + v335 + v336 + v337 + v338 + v339 + v340
              + v341 + v342 + v343 + v344 + v345 + v346 + v347 + v348 + v349 + v350 + v351 + v352
              + v353 + v354 + v355 + v356 + v357 + v358 + v359 + v360 + v361 + v362 + v363 + v364
              + v365 + v366 + v367 + v368 + v369 + v370 + v371 + v372 + v373 + v374 + v375 + v376
              + v377 + v378 + v379 + v380 + v381 + v382 + v383 + v384 + v385 + v386 + v387 + v388
              + v389 + v390 + v391 + v392 + v393 + v394 + v395 + v396 + v397 + v398 + v399;
    }
  }

  /** A call that no compiler can look through: a recursion that writes. */
  private static void change(int turn) {
    if (turn < 0) {
      change(turn >>> 1);
    }
    anything = turn;
  }
}
