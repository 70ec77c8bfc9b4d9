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
      long v0 = anything, v1 = anything, v2 = anything, v3 = anything, v4 = anything, v5 = anything;
      long v6 = anything, v7 = anything, v8 = anything, v9 = anything, v10 = anything;
      long v11 = anything, v12 = anything, v13 = anything, v14 = anything, v15 = anything;
      long v16 = anything, v17 = anything, v18 = anything, v19 = anything, v20 = anything;
      long v21 = anything, v22 = anything, v23 = anything, v24 = anything, v25 = anything;
      long v26 = anything, v27 = anything, v28 = anything, v29 = anything, v30 = anything;
      long v31 = anything, v32 = anything, v33 = anything, v34 = anything, v35 = anything;
      long v36 = anything, v37 = anything, v38 = anything, v39 = anything, v40 = anything;
      long v41 = anything, v42 = anything, v43 = anything, v44 = anything, v45 = anything;
      long v46 = anything, v47 = anything, v48 = anything, v49 = anything, v50 = anything;
      long v51 = anything, v52 = anything, v53 = anything, v54 = anything, v55 = anything;
      long v56 = anything, v57 = anything, v58 = anything, v59 = anything, v60 = anything;
      long v61 = anything, v62 = anything, v63 = anything, v64 = anything, v65 = anything;
      long v66 = anything, v67 = anything, v68 = anything, v69 = anything, v70 = anything;
      long v71 = anything, v72 = anything, v73 = anything, v74 = anything, v75 = anything;
      long v76 = anything, v77 = anything, v78 = anything, v79 = anything, v80 = anything;
      long v81 = anything, v82 = anything, v83 = anything, v84 = anything, v85 = anything;
      long v86 = anything, v87 = anything, v88 = anything, v89 = anything, v90 = anything;
      long v91 = anything, v92 = anything, v93 = anything, v94 = anything, v95 = anything;
      long v96 = anything, v97 = anything, v98 = anything, v99 = anything, v100 = anything;
      long v101 = anything, v102 = anything, v103 = anything, v104 = anything, v105 = anything;
      long v106 = anything, v107 = anything, v108 = anything, v109 = anything, v110 = anything;
      long v111 = anything, v112 = anything, v113 = anything, v114 = anything, v115 = anything;
      long v116 = anything, v117 = anything, v118 = anything, v119 = anything, v120 = anything;
      long v121 = anything, v122 = anything, v123 = anything, v124 = anything, v125 = anything;
      long v126 = anything, v127 = anything, v128 = anything, v129 = anything, v130 = anything;
      long v131 = anything, v132 = anything, v133 = anything, v134 = anything, v135 = anything;
      long v136 = anything, v137 = anything, v138 = anything, v139 = anything, v140 = anything;
      long v141 = anything, v142 = anything, v143 = anything, v144 = anything, v145 = anything;
      long v146 = anything, v147 = anything, v148 = anything, v149 = anything, v150 = anything;
      long v151 = anything, v152 = anything, v153 = anything, v154 = anything, v155 = anything;
      long v156 = anything, v157 = anything, v158 = anything, v159 = anything, v160 = anything;
      long v161 = anything, v162 = anything, v163 = anything, v164 = anything, v165 = anything;
      long v166 = anything, v167 = anything, v168 = anything, v169 = anything, v170 = anything;
      long v171 = anything, v172 = anything, v173 = anything, v174 = anything, v175 = anything;
      long v176 = anything, v177 = anything, v178 = anything, v179 = anything, v180 = anything;
      long v181 = anything, v182 = anything, v183 = anything, v184 = anything, v185 = anything;
      long v186 = anything, v187 = anything, v188 = anything, v189 = anything, v190 = anything;
      long v191 = anything, v192 = anything, v193 = anything, v194 = anything, v195 = anything;
      long v196 = anything, v197 = anything, v198 = anything, v199 = anything, v200 = anything;
      long v201 = anything, v202 = anything, v203 = anything, v204 = anything, v205 = anything;
      long v206 = anything, v207 = anything, v208 = anything, v209 = anything, v210 = anything;
      long v211 = anything, v212 = anything, v213 = anything, v214 = anything, v215 = anything;
      long v216 = anything, v217 = anything, v218 = anything, v219 = anything, v220 = anything;
      long v221 = anything, v222 = anything, v223 = anything, v224 = anything, v225 = anything;
      long v226 = anything, v227 = anything, v228 = anything, v229 = anything, v230 = anything;
      long v231 = anything, v232 = anything, v233 = anything, v234 = anything, v235 = anything;
      long v236 = anything, v237 = anything, v238 = anything, v239 = anything, v240 = anything;
      long v241 = anything, v242 = anything, v243 = anything, v244 = anything, v245 = anything;
      long v246 = anything, v247 = anything, v248 = anything, v249 = anything, v250 = anything;
      long v251 = anything, v252 = anything, v253 = anything, v254 = anything, v255 = anything;
      long v256 = anything, v257 = anything, v258 = anything, v259 = anything, v260 = anything;
      long v261 = anything, v262 = anything, v263 = anything, v264 = anything, v265 = anything;
      long v266 = anything, v267 = anything, v268 = anything, v269 = anything, v270 = anything;
      long v271 = anything, v272 = anything, v273 = anything, v274 = anything, v275 = anything;
      long v276 = anything, v277 = anything, v278 = anything, v279 = anything, v280 = anything;
      long v281 = anything, v282 = anything, v283 = anything, v284 = anything, v285 = anything;
      long v286 = anything, v287 = anything, v288 = anything, v289 = anything, v290 = anything;
      long v291 = anything, v292 = anything, v293 = anything, v294 = anything, v295 = anything;
      long v296 = anything, v297 = anything, v298 = anything, v299 = anything, v300 = anything;
      long v301 = anything, v302 = anything, v303 = anything, v304 = anything, v305 = anything;
      long v306 = anything, v307 = anything, v308 = anything, v309 = anything, v310 = anything;
      long v311 = anything, v312 = anything, v313 = anything, v314 = anything, v315 = anything;
      long v316 = anything, v317 = anything, v318 = anything, v319 = anything, v320 = anything;
      long v321 = anything, v322 = anything, v323 = anything, v324 = anything, v325 = anything;
      long v326 = anything, v327 = anything, v328 = anything, v329 = anything, v330 = anything;
      long v331 = anything, v332 = anything, v333 = anything, v334 = anything, v335 = anything;
      long v336 = anything, v337 = anything, v338 = anything, v339 = anything, v340 = anything;
      long v341 = anything, v342 = anything, v343 = anything, v344 = anything, v345 = anything;
      long v346 = anything, v347 = anything, v348 = anything, v349 = anything, v350 = anything;
      long v351 = anything, v352 = anything, v353 = anything, v354 = anything, v355 = anything;
      long v356 = anything, v357 = anything, v358 = anything, v359 = anything, v360 = anything;
      long v361 = anything, v362 = anything, v363 = anything, v364 = anything, v365 = anything;
      long v366 = anything, v367 = anything, v368 = anything, v369 = anything, v370 = anything;
      long v371 = anything, v372 = anything, v373 = anything, v374 = anything, v375 = anything;
      long v376 = anything, v377 = anything, v378 = anything, v379 = anything, v380 = anything;
      long v381 = anything, v382 = anything, v383 = anything, v384 = anything, v385 = anything;
      long v386 = anything, v387 = anything, v388 = anything, v389 = anything, v390 = anything;
      long v391 = anything, v392 = anything, v393 = anything, v394 = anything, v395 = anything;
      long v396 = anything, v397 = anything, v398 = anything, v399 = anything;
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
