package dev.arenal.guard;

/**
 * Makes sure of the stack before a critical section is entered: what the JDK's reserved stack areas
 * (JEP 270) do for {@code java.util.concurrent}, for a library outside of {@code java.base}.
 *
 * <p>A {@link StackOverflowError} is thrown where a method is entered. In the middle of a critical
 * section it leaves a structure half changed. So an operation that is about to change something
 * descends first, as deep as it may have to go, and comes back: if the stack does not reach, the
 * error is thrown there, and nothing has changed.
 *
 * <p>A frame has room for the values that are needed after a call. So a method in which 400 of them
 * are takes three kilobytes where it is compiled and six in the interpreter, whether or not it
 * makes that call. Compilers leave calls out that were never made; hence the call is made once in a
 * while. Measured by a recursion that asks in each frame, in all compilers: 32 KiB are left, in the
 * interpreter 63. Where that is not enough, {@link Damage} is.
 */
public final class StackReserve {
  private static final int FRAMES = 10;

  /** For a path of few calls, none of which enters the kernel. */
  private static final int SHORT_FRAMES = 2;

  /** The call is made once in so many turns; a power of two. */
  private static final int TURNS_A_CALL = 256;

  /**
   * One counter for each of sixteen groups of threads, a cache line apart; increments may be lost.
   */
  private static final int[] TURNS = new int[16 * 16];

  /** What the compiler cannot know; racy, and of no meaning. */
  private static final long[] ANYTHING = new long[400];

  @SuppressWarnings("unused") // so that all values are needed
  private static long anySum;

  static {
    // Enough to be compiled soon.
    for (int i = 0; i < 300; i++) {
      ensure();
    }
  }

  private StackReserve() {}

  /**
   * Returns if a critical section may be entered: if 32 KiB of stack or more are left. Costs some
   * 30 ns, so it is not for a fast path.
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
    } catch (StackOverflowError e) {
      return false;
    }
  }

  /** The number of values is what makes the frame large. */
  private static void descend(int frames, int turn) {
    if (frames > 1) {
      descend(frames - 1, turn);
    } else if ((turn & (TURNS_A_CALL - 1)) == 0) {
      long v0 = ANYTHING[0];
      long v1 = ANYTHING[1];
      long v2 = ANYTHING[2];
      long v3 = ANYTHING[3];
      long v4 = ANYTHING[4];
      long v5 = ANYTHING[5];
      long v6 = ANYTHING[6];
      long v7 = ANYTHING[7];
      long v8 = ANYTHING[8];
      long v9 = ANYTHING[9];
      long v10 = ANYTHING[10];
      long v11 = ANYTHING[11];
      long v12 = ANYTHING[12];
      long v13 = ANYTHING[13];
      long v14 = ANYTHING[14];
      long v15 = ANYTHING[15];
      long v16 = ANYTHING[16];
      long v17 = ANYTHING[17];
      long v18 = ANYTHING[18];
      long v19 = ANYTHING[19];
      long v20 = ANYTHING[20];
      long v21 = ANYTHING[21];
      long v22 = ANYTHING[22];
      long v23 = ANYTHING[23];
      long v24 = ANYTHING[24];
      long v25 = ANYTHING[25];
      long v26 = ANYTHING[26];
      long v27 = ANYTHING[27];
      long v28 = ANYTHING[28];
      long v29 = ANYTHING[29];
      long v30 = ANYTHING[30];
      long v31 = ANYTHING[31];
      long v32 = ANYTHING[32];
      long v33 = ANYTHING[33];
      long v34 = ANYTHING[34];
      long v35 = ANYTHING[35];
      long v36 = ANYTHING[36];
      long v37 = ANYTHING[37];
      long v38 = ANYTHING[38];
      long v39 = ANYTHING[39];
      long v40 = ANYTHING[40];
      long v41 = ANYTHING[41];
      long v42 = ANYTHING[42];
      long v43 = ANYTHING[43];
      long v44 = ANYTHING[44];
      long v45 = ANYTHING[45];
      long v46 = ANYTHING[46];
      long v47 = ANYTHING[47];
      long v48 = ANYTHING[48];
      long v49 = ANYTHING[49];
      long v50 = ANYTHING[50];
      long v51 = ANYTHING[51];
      long v52 = ANYTHING[52];
      long v53 = ANYTHING[53];
      long v54 = ANYTHING[54];
      long v55 = ANYTHING[55];
      long v56 = ANYTHING[56];
      long v57 = ANYTHING[57];
      long v58 = ANYTHING[58];
      long v59 = ANYTHING[59];
      long v60 = ANYTHING[60];
      long v61 = ANYTHING[61];
      long v62 = ANYTHING[62];
      long v63 = ANYTHING[63];
      long v64 = ANYTHING[64];
      long v65 = ANYTHING[65];
      long v66 = ANYTHING[66];
      long v67 = ANYTHING[67];
      long v68 = ANYTHING[68];
      long v69 = ANYTHING[69];
      long v70 = ANYTHING[70];
      long v71 = ANYTHING[71];
      long v72 = ANYTHING[72];
      long v73 = ANYTHING[73];
      long v74 = ANYTHING[74];
      long v75 = ANYTHING[75];
      long v76 = ANYTHING[76];
      long v77 = ANYTHING[77];
      long v78 = ANYTHING[78];
      long v79 = ANYTHING[79];
      long v80 = ANYTHING[80];
      long v81 = ANYTHING[81];
      long v82 = ANYTHING[82];
      long v83 = ANYTHING[83];
      long v84 = ANYTHING[84];
      long v85 = ANYTHING[85];
      long v86 = ANYTHING[86];
      long v87 = ANYTHING[87];
      long v88 = ANYTHING[88];
      long v89 = ANYTHING[89];
      long v90 = ANYTHING[90];
      long v91 = ANYTHING[91];
      long v92 = ANYTHING[92];
      long v93 = ANYTHING[93];
      long v94 = ANYTHING[94];
      long v95 = ANYTHING[95];
      long v96 = ANYTHING[96];
      long v97 = ANYTHING[97];
      long v98 = ANYTHING[98];
      long v99 = ANYTHING[99];
      long v100 = ANYTHING[100];
      long v101 = ANYTHING[101];
      long v102 = ANYTHING[102];
      long v103 = ANYTHING[103];
      long v104 = ANYTHING[104];
      long v105 = ANYTHING[105];
      long v106 = ANYTHING[106];
      long v107 = ANYTHING[107];
      long v108 = ANYTHING[108];
      long v109 = ANYTHING[109];
      long v110 = ANYTHING[110];
      long v111 = ANYTHING[111];
      long v112 = ANYTHING[112];
      long v113 = ANYTHING[113];
      long v114 = ANYTHING[114];
      long v115 = ANYTHING[115];
      long v116 = ANYTHING[116];
      long v117 = ANYTHING[117];
      long v118 = ANYTHING[118];
      long v119 = ANYTHING[119];
      long v120 = ANYTHING[120];
      long v121 = ANYTHING[121];
      long v122 = ANYTHING[122];
      long v123 = ANYTHING[123];
      long v124 = ANYTHING[124];
      long v125 = ANYTHING[125];
      long v126 = ANYTHING[126];
      long v127 = ANYTHING[127];
      long v128 = ANYTHING[128];
      long v129 = ANYTHING[129];
      long v130 = ANYTHING[130];
      long v131 = ANYTHING[131];
      long v132 = ANYTHING[132];
      long v133 = ANYTHING[133];
      long v134 = ANYTHING[134];
      long v135 = ANYTHING[135];
      long v136 = ANYTHING[136];
      long v137 = ANYTHING[137];
      long v138 = ANYTHING[138];
      long v139 = ANYTHING[139];
      long v140 = ANYTHING[140];
      long v141 = ANYTHING[141];
      long v142 = ANYTHING[142];
      long v143 = ANYTHING[143];
      long v144 = ANYTHING[144];
      long v145 = ANYTHING[145];
      long v146 = ANYTHING[146];
      long v147 = ANYTHING[147];
      long v148 = ANYTHING[148];
      long v149 = ANYTHING[149];
      long v150 = ANYTHING[150];
      long v151 = ANYTHING[151];
      long v152 = ANYTHING[152];
      long v153 = ANYTHING[153];
      long v154 = ANYTHING[154];
      long v155 = ANYTHING[155];
      long v156 = ANYTHING[156];
      long v157 = ANYTHING[157];
      long v158 = ANYTHING[158];
      long v159 = ANYTHING[159];
      long v160 = ANYTHING[160];
      long v161 = ANYTHING[161];
      long v162 = ANYTHING[162];
      long v163 = ANYTHING[163];
      long v164 = ANYTHING[164];
      long v165 = ANYTHING[165];
      long v166 = ANYTHING[166];
      long v167 = ANYTHING[167];
      long v168 = ANYTHING[168];
      long v169 = ANYTHING[169];
      long v170 = ANYTHING[170];
      long v171 = ANYTHING[171];
      long v172 = ANYTHING[172];
      long v173 = ANYTHING[173];
      long v174 = ANYTHING[174];
      long v175 = ANYTHING[175];
      long v176 = ANYTHING[176];
      long v177 = ANYTHING[177];
      long v178 = ANYTHING[178];
      long v179 = ANYTHING[179];
      long v180 = ANYTHING[180];
      long v181 = ANYTHING[181];
      long v182 = ANYTHING[182];
      long v183 = ANYTHING[183];
      long v184 = ANYTHING[184];
      long v185 = ANYTHING[185];
      long v186 = ANYTHING[186];
      long v187 = ANYTHING[187];
      long v188 = ANYTHING[188];
      long v189 = ANYTHING[189];
      long v190 = ANYTHING[190];
      long v191 = ANYTHING[191];
      long v192 = ANYTHING[192];
      long v193 = ANYTHING[193];
      long v194 = ANYTHING[194];
      long v195 = ANYTHING[195];
      long v196 = ANYTHING[196];
      long v197 = ANYTHING[197];
      long v198 = ANYTHING[198];
      long v199 = ANYTHING[199];
      long v200 = ANYTHING[200];
      long v201 = ANYTHING[201];
      long v202 = ANYTHING[202];
      long v203 = ANYTHING[203];
      long v204 = ANYTHING[204];
      long v205 = ANYTHING[205];
      long v206 = ANYTHING[206];
      long v207 = ANYTHING[207];
      long v208 = ANYTHING[208];
      long v209 = ANYTHING[209];
      long v210 = ANYTHING[210];
      long v211 = ANYTHING[211];
      long v212 = ANYTHING[212];
      long v213 = ANYTHING[213];
      long v214 = ANYTHING[214];
      long v215 = ANYTHING[215];
      long v216 = ANYTHING[216];
      long v217 = ANYTHING[217];
      long v218 = ANYTHING[218];
      long v219 = ANYTHING[219];
      long v220 = ANYTHING[220];
      long v221 = ANYTHING[221];
      long v222 = ANYTHING[222];
      long v223 = ANYTHING[223];
      long v224 = ANYTHING[224];
      long v225 = ANYTHING[225];
      long v226 = ANYTHING[226];
      long v227 = ANYTHING[227];
      long v228 = ANYTHING[228];
      long v229 = ANYTHING[229];
      long v230 = ANYTHING[230];
      long v231 = ANYTHING[231];
      long v232 = ANYTHING[232];
      long v233 = ANYTHING[233];
      long v234 = ANYTHING[234];
      long v235 = ANYTHING[235];
      long v236 = ANYTHING[236];
      long v237 = ANYTHING[237];
      long v238 = ANYTHING[238];
      long v239 = ANYTHING[239];
      long v240 = ANYTHING[240];
      long v241 = ANYTHING[241];
      long v242 = ANYTHING[242];
      long v243 = ANYTHING[243];
      long v244 = ANYTHING[244];
      long v245 = ANYTHING[245];
      long v246 = ANYTHING[246];
      long v247 = ANYTHING[247];
      long v248 = ANYTHING[248];
      long v249 = ANYTHING[249];
      long v250 = ANYTHING[250];
      long v251 = ANYTHING[251];
      long v252 = ANYTHING[252];
      long v253 = ANYTHING[253];
      long v254 = ANYTHING[254];
      long v255 = ANYTHING[255];
      long v256 = ANYTHING[256];
      long v257 = ANYTHING[257];
      long v258 = ANYTHING[258];
      long v259 = ANYTHING[259];
      long v260 = ANYTHING[260];
      long v261 = ANYTHING[261];
      long v262 = ANYTHING[262];
      long v263 = ANYTHING[263];
      long v264 = ANYTHING[264];
      long v265 = ANYTHING[265];
      long v266 = ANYTHING[266];
      long v267 = ANYTHING[267];
      long v268 = ANYTHING[268];
      long v269 = ANYTHING[269];
      long v270 = ANYTHING[270];
      long v271 = ANYTHING[271];
      long v272 = ANYTHING[272];
      long v273 = ANYTHING[273];
      long v274 = ANYTHING[274];
      long v275 = ANYTHING[275];
      long v276 = ANYTHING[276];
      long v277 = ANYTHING[277];
      long v278 = ANYTHING[278];
      long v279 = ANYTHING[279];
      long v280 = ANYTHING[280];
      long v281 = ANYTHING[281];
      long v282 = ANYTHING[282];
      long v283 = ANYTHING[283];
      long v284 = ANYTHING[284];
      long v285 = ANYTHING[285];
      long v286 = ANYTHING[286];
      long v287 = ANYTHING[287];
      long v288 = ANYTHING[288];
      long v289 = ANYTHING[289];
      long v290 = ANYTHING[290];
      long v291 = ANYTHING[291];
      long v292 = ANYTHING[292];
      long v293 = ANYTHING[293];
      long v294 = ANYTHING[294];
      long v295 = ANYTHING[295];
      long v296 = ANYTHING[296];
      long v297 = ANYTHING[297];
      long v298 = ANYTHING[298];
      long v299 = ANYTHING[299];
      long v300 = ANYTHING[300];
      long v301 = ANYTHING[301];
      long v302 = ANYTHING[302];
      long v303 = ANYTHING[303];
      long v304 = ANYTHING[304];
      long v305 = ANYTHING[305];
      long v306 = ANYTHING[306];
      long v307 = ANYTHING[307];
      long v308 = ANYTHING[308];
      long v309 = ANYTHING[309];
      long v310 = ANYTHING[310];
      long v311 = ANYTHING[311];
      long v312 = ANYTHING[312];
      long v313 = ANYTHING[313];
      long v314 = ANYTHING[314];
      long v315 = ANYTHING[315];
      long v316 = ANYTHING[316];
      long v317 = ANYTHING[317];
      long v318 = ANYTHING[318];
      long v319 = ANYTHING[319];
      long v320 = ANYTHING[320];
      long v321 = ANYTHING[321];
      long v322 = ANYTHING[322];
      long v323 = ANYTHING[323];
      long v324 = ANYTHING[324];
      long v325 = ANYTHING[325];
      long v326 = ANYTHING[326];
      long v327 = ANYTHING[327];
      long v328 = ANYTHING[328];
      long v329 = ANYTHING[329];
      long v330 = ANYTHING[330];
      long v331 = ANYTHING[331];
      long v332 = ANYTHING[332];
      long v333 = ANYTHING[333];
      long v334 = ANYTHING[334];
      long v335 = ANYTHING[335];
      long v336 = ANYTHING[336];
      long v337 = ANYTHING[337];
      long v338 = ANYTHING[338];
      long v339 = ANYTHING[339];
      long v340 = ANYTHING[340];
      long v341 = ANYTHING[341];
      long v342 = ANYTHING[342];
      long v343 = ANYTHING[343];
      long v344 = ANYTHING[344];
      long v345 = ANYTHING[345];
      long v346 = ANYTHING[346];
      long v347 = ANYTHING[347];
      long v348 = ANYTHING[348];
      long v349 = ANYTHING[349];
      long v350 = ANYTHING[350];
      long v351 = ANYTHING[351];
      long v352 = ANYTHING[352];
      long v353 = ANYTHING[353];
      long v354 = ANYTHING[354];
      long v355 = ANYTHING[355];
      long v356 = ANYTHING[356];
      long v357 = ANYTHING[357];
      long v358 = ANYTHING[358];
      long v359 = ANYTHING[359];
      long v360 = ANYTHING[360];
      long v361 = ANYTHING[361];
      long v362 = ANYTHING[362];
      long v363 = ANYTHING[363];
      long v364 = ANYTHING[364];
      long v365 = ANYTHING[365];
      long v366 = ANYTHING[366];
      long v367 = ANYTHING[367];
      long v368 = ANYTHING[368];
      long v369 = ANYTHING[369];
      long v370 = ANYTHING[370];
      long v371 = ANYTHING[371];
      long v372 = ANYTHING[372];
      long v373 = ANYTHING[373];
      long v374 = ANYTHING[374];
      long v375 = ANYTHING[375];
      long v376 = ANYTHING[376];
      long v377 = ANYTHING[377];
      long v378 = ANYTHING[378];
      long v379 = ANYTHING[379];
      long v380 = ANYTHING[380];
      long v381 = ANYTHING[381];
      long v382 = ANYTHING[382];
      long v383 = ANYTHING[383];
      long v384 = ANYTHING[384];
      long v385 = ANYTHING[385];
      long v386 = ANYTHING[386];
      long v387 = ANYTHING[387];
      long v388 = ANYTHING[388];
      long v389 = ANYTHING[389];
      long v390 = ANYTHING[390];
      long v391 = ANYTHING[391];
      long v392 = ANYTHING[392];
      long v393 = ANYTHING[393];
      long v394 = ANYTHING[394];
      long v395 = ANYTHING[395];
      long v396 = ANYTHING[396];
      long v397 = ANYTHING[397];
      long v398 = ANYTHING[398];
      long v399 = ANYTHING[399];
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
    ANYTHING[turn & 15] = turn;
  }
}
